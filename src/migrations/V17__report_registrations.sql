-- Which registrations a report names, or holds in its file: an erasure finds its reports by them.
create table report_registrations (
    outbox_id integer not null references outbox (id) on delete cascade,
    kind text not null,
    registration_id integer not null,
    primary key (outbox_id, kind, registration_id)
) strict, without rowid;
create index report_registrations_by_registration on report_registrations (kind, registration_id);

-- Reports that are stored already name registrations of the days that they cover. A report's cause holds the last of
-- these days: 'report/weekly/2026-03-15'. A name within a longer one counts too, as an erasure took it until now.
insert into report_registrations (outbox_id, kind, registration_id)
select distinct report.id, registration.kind, registration.id
from (select id, words, substr(cause, 8 + instr(substr(cause, 8), '/'), 10) as last_day
      from outbox where cause like 'report/%') as report
join (select 'speaker-applications' as kind, id, created_at, name as name from speaker_applications
     union all select 'judge-applications' as kind, id, created_at, name as name from judge_applications
     union all select 'sponsor-applications' as kind, id, created_at, company as name from sponsor_applications
     union all select 'professional-demo-registrations' as kind, id, created_at, name as name from professional_demo_registrations
     union all select 'competition-entries' as kind, id, created_at, name as name from competition_entries
     union all select 'waitlist-signups' as kind, id, created_at, name as name from waitlist_signups
     union all select 'sponsor-inquiries' as kind, id, created_at, company as name from sponsor_inquiries) as registration
    on registration.created_at between date(last_day, '-8 days') and date(last_day, '+2 days')
where registration.name <> ''
and exists (select 1 from json_tree(report.words) where instr(atom, registration.name));
