-- The search also finds phone numbers and Instagram names, and entries are filtered by category: the indexes that
-- hold all that a list asks for hold these too. That of sponsor inquiries has neither.
drop index speaker_applications_listed;
create index speaker_applications_listed on speaker_applications
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
drop index judge_applications_listed;
create index judge_applications_listed on judge_applications
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
drop index sponsor_applications_listed;
create index sponsor_applications_listed on sponsor_applications
    (created_at, status,
     lower(company || char(10) || contact_name || char(10) || email || char(10) || coalesce(phone_normalised, phone)));
drop index professional_demo_registrations_listed;
create index professional_demo_registrations_listed on professional_demo_registrations
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
drop index competition_entries_listed;
create index competition_entries_listed on competition_entries
    (created_at, status, payment_status, primary_category, sub_category, additional_category1, additional_category1_sub,
     additional_category2, additional_category2_sub,
     lower(name || char(10) || email || char(10) || business_name || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
drop index waitlist_signups_listed;
create index waitlist_signups_listed on waitlist_signups
    (created_at, status,
     lower(name || char(10) || email || char(10) || coalesce(instagram_normalised, instagram, '')));
