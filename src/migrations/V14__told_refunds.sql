-- Why money went back, for the organisers alone, and whether the person is told by mail once it is done.
alter table refunds add column reason text;
alter table refunds add column notify integer not null default 0 check (notify in (0, 1));
