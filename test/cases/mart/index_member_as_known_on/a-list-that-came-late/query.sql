SELECT 'friday' AS asked, * FROM mart.index_member_as_known_on('2025-03-14 20:00:00+07')
UNION ALL SELECT 'monday', * FROM mart.index_member_as_known_on('2025-03-17 20:00:00+07')
