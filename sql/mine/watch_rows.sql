-- grain: one row per row of a watch of the user's own, with its id: the hash of the watch and the key
SELECT left(sha256(CAST(json_array($name, $key) AS VARCHAR)), 16) AS id, $texts
FROM (
$statement
) AS watched
