-- When a wish counts follows from when it was made and what was wished before: kept beside it, it was of no
-- use, and wrong where two were made at once.

alter table own_limit drop column begins;
