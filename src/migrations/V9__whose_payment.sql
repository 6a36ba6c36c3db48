-- Whose a payment is: ids begin anew in every database, the token of an entry is found in no other one. And whether
-- the money was real, and whether a refund was asked for as all that was left.
alter table competition_entries add column payment_token text not null default '';
alter table competition_entries add column payment_live integer check (payment_live in (0, 1));
update competition_entries set payment_token = lower(hex(randomblob(16)));
alter table refunds add column is_rest integer check (is_rest in (0, 1));
