-- grain: one database per schema of the lake
CREATE DATABASE IF NOT EXISTS $schema$on_cluster;
