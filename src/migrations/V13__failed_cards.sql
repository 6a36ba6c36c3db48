-- How many cards failed on a payment intent, which is cancelled after several. No person is named.
create table failed_cards (
    intent_id text primary key,
    count integer not null check (count > 0),
    last_at text not null
) strict, without rowid;
