-- grain: the relation's own; a copy in ClickHouse's own storage, sorted as the lake's files are
CREATE TABLE IF NOT EXISTS $name$on_cluster
(
$columns
)
ENGINE = $engine
$partition
ORDER BY ($order)
COMMENT $comment;
