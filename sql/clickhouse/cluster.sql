-- grain: the relation's own; a view that lets every server of the cluster read its share of the files
CREATE OR REPLACE VIEW $name$on_cluster AS
SELECT $names FROM $source;
