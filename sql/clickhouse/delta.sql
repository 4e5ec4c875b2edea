-- grain: the relation's own; a table over its Delta log: what is published next is seen by the next query
CREATE TABLE IF NOT EXISTS $name$on_cluster
(
$columns
)
ENGINE = $engine
COMMENT $comment;
