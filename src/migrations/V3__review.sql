-- Beside what a person typed: a phone number as E.164 and an Instagram name as '@name', where they are
-- unambiguous; which version of which text was agreed to, and when; why a submission was set aside; and the
-- same person's earlier registration of the same kind.
alter table speaker_applications add column phone_normalised text;
alter table speaker_applications add column instagram_normalised text;
alter table speaker_applications add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table speaker_applications add column agreed_at text;
alter table speaker_applications add column set_aside_reason text;
alter table speaker_applications add column earlier_id integer references speaker_applications (id) on delete set null;
alter table judge_applications add column phone_normalised text;
alter table judge_applications add column instagram_normalised text;
alter table judge_applications add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table judge_applications add column agreed_at text;
alter table judge_applications add column set_aside_reason text;
alter table judge_applications add column earlier_id integer references judge_applications (id) on delete set null;
alter table sponsor_applications add column phone_normalised text;
alter table sponsor_applications add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table sponsor_applications add column agreed_at text;
alter table sponsor_applications add column set_aside_reason text;
alter table sponsor_applications add column earlier_id integer references sponsor_applications (id) on delete set null;
alter table professional_demo_registrations add column phone_normalised text;
alter table professional_demo_registrations add column instagram_normalised text;
alter table professional_demo_registrations add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table professional_demo_registrations add column agreed_at text;
alter table professional_demo_registrations add column set_aside_reason text;
alter table professional_demo_registrations add column earlier_id integer references professional_demo_registrations (id) on delete set null;
alter table competition_entries add column phone_normalised text;
alter table competition_entries add column instagram_normalised text;
alter table competition_entries add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table competition_entries add column agreed_at text;
alter table competition_entries add column set_aside_reason text;
alter table competition_entries add column earlier_id integer references competition_entries (id) on delete set null;
alter table waitlist_signups add column instagram_normalised text;
alter table waitlist_signups add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table waitlist_signups add column agreed_at text;
alter table waitlist_signups add column set_aside_reason text;
alter table waitlist_signups add column earlier_id integer references waitlist_signups (id) on delete set null;
alter table sponsor_inquiries add column agreed_to text check (agreed_to is null or json_valid(agreed_to));
alter table sponsor_inquiries add column agreed_at text;
alter table sponsor_inquiries add column set_aside_reason text;
alter table sponsor_inquiries add column earlier_id integer references sponsor_inquiries (id) on delete set null;

-- What an organiser decided about a registration, and noted; a line without a change of status is a note.
create table reviews (
    id integer primary key autoincrement,
    at text not null,
    actor text not null,
    kind text not null,
    registration_id integer not null,
    from_status text not null,
    to_status text not null,
    note text
) strict;
create index reviews_by_registration on reviews (kind, registration_id);
