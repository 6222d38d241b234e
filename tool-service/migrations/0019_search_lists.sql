-- A search reads what its index has not sorted in yet, all of it: kept short, it costs the same on any site. In kB.
ALTER INDEX tools.search_draft SET (gin_pending_list_limit = 512);
ALTER INDEX tools.search_live SET (gin_pending_list_limit = 512);
ALTER INDEX tools.search_bands SET (gin_pending_list_limit = 512);
