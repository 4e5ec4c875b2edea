FROM mart.index_member_as_known_on('2025-03-12 20:00:00+07')
