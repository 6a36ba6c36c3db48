-- The schema. It is also the first migration (src/store/migrate.rs), which is frozen as soon as version 1.0.0 is published:
-- CONTRIBUTING.md, "Recipes", says what to do then.
--
-- Instants are UTC, RFC 3339 with milliseconds, so that they sort as text. Flags are 0 or 1.
--
-- Each kind of registration has a table. Its columns are the form's fields in their order, then:
--   phone_normalised      the phone number as E.164, if it is unambiguous
--   instagram_normalised  the Instagram name as '@name', if it is unambiguous
--   agreed_to, agreed_at  which version of each text was agreed to (JSON, by the field that agrees), and when
--   set_aside_reason      why the submission is held for review
--   earlier_id            the same person's earlier registration of the same kind

-- People who want to speak.
create table speaker_applications (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    name text not null,
    email text not null,
    phone text not null,
    instagram text,
    company text not null,
    expertise text not null,
    speaking_experience text not null,
    experience text not null,
    topic_proposal text not null,
    portfolio text,
    terms_accepted integer not null check (terms_accepted in (0, 1)),
    photography_consent integer not null check (photography_consent in (0, 1)),
    phone_normalised text,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references speaker_applications (id) on delete set null
) strict;
create index speaker_applications_listed on speaker_applications
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
create index speaker_applications_by_email on speaker_applications (email collate nocase);

-- People who want to judge.
create table judge_applications (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    name text not null,
    email text not null,
    phone text not null,
    instagram text,
    company text not null,
    expertise text not null,
    experience text not null,
    availability text not null,
    portfolio text,
    terms_accepted integer not null check (terms_accepted in (0, 1)),
    photography_consent integer not null check (photography_consent in (0, 1)),
    phone_normalised text,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references judge_applications (id) on delete set null
) strict;
create index judge_applications_listed on judge_applications
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
create index judge_applications_by_email on judge_applications (email collate nocase);

-- Companies that want to sponsor; product_categories is a JSON list of text.
create table sponsor_applications (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    company text not null,
    contact_name text not null,
    email text not null,
    phone text not null,
    website text,
    business_type text not null,
    years_founded text not null,
    employee_count text not null,
    sponsorship_tier text not null,
    budget_range text not null,
    previous_sponsorship text not null,
    marketing_goals text not null,
    target_audience text not null,
    product_categories text not null check (json_valid(product_categories)),
    special_requests text,
    agreement_terms integer not null check (agreement_terms in (0, 1)),
    agreement_marketing integer not null check (agreement_marketing in (0, 1)),
    phone_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references sponsor_applications (id) on delete set null
) strict;
create index sponsor_applications_listed on sponsor_applications
    (created_at, status,
     lower(company || char(10) || contact_name || char(10) || email || char(10) || coalesce(phone_normalised, phone)));
create index sponsor_applications_by_email on sponsor_applications (email collate nocase);

-- Professionals who want to demonstrate their work.
create table professional_demo_registrations (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    name text not null,
    email text not null,
    phone text not null,
    instagram text,
    company text not null,
    business_type text not null,
    specializations text not null,
    demo_topics text not null,
    target_audience text not null,
    equipment_needs text,
    portfolio text,
    previous_demos text,
    terms_accepted integer not null check (terms_accepted in (0, 1)),
    photography_consent integer not null check (photography_consent in (0, 1)),
    phone_normalised text,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references professional_demo_registrations (id) on delete set null
) strict;
create index professional_demo_registrations_listed on professional_demo_registrations
    (created_at, status,
     lower(name || char(10) || email || char(10) || company || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
create index professional_demo_registrations_by_email on professional_demo_registrations (email collate nocase);

-- Entries to the championship. An entry is stored before any money moves. Amounts are in cents. A complimentary entry
-- costs nothing; why is in its history.
--   form_key            identifies the form fill that created it
--   quote               the price that the person saw (JSON)
--   refunded_cents      what was refunded
--   front_row           whether it has a guaranteed seat in the front row
--   payment_checked_at  when the provider was last asked about its payment
--   payment_token       identifies its payments at the provider; an id may occur again in another database
--   payment_live        whether it was paid with real money; null for payments before V9
create table competition_entries (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'no_show', 'set_aside')),
    name text not null,
    email text not null,
    phone text not null,
    instagram text,
    business_name text not null,
    location text not null,
    tax_location text not null,
    primary_category text not null,
    sub_category text not null,
    additional_categories integer not null check (additional_categories between 0 and 2),
    additional_category1 text,
    additional_category1_sub text,
    additional_category2 text,
    additional_category2_sub text,
    portfolio text,
    agreement_terms integer not null check (agreement_terms in (0, 1)),
    agreement_media integer not null check (agreement_media in (0, 1)),
    payment_amount_cents integer not null check (payment_amount_cents >= 0),
    payment_status text not null default 'pending'
        check (payment_status in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'abandoned', 'complimentary')),
    stripe_payment_intent_id text unique,
    phone_normalised text,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references competition_entries (id) on delete set null,
    form_key text,
    quote text check (quote is null or json_valid(quote)),
    paid_at text,
    refunded_cents integer not null default 0 check (refunded_cents >= 0),
    front_row integer not null default 0 check (front_row in (0, 1)),
    payment_checked_at text,
    payment_token text not null default '',
    payment_live integer check (payment_live in (0, 1))
) strict;
create index competition_entries_listed on competition_entries
    (created_at, status, payment_status, primary_category, sub_category, additional_category1, additional_category1_sub,
     additional_category2, additional_category2_sub,
     lower(name || char(10) || email || char(10) || business_name || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
create index competition_entries_by_email on competition_entries (email collate nocase);
create unique index competition_entries_by_form_key on competition_entries (form_key);
create index competition_entries_pending on competition_entries (created_at) where payment_status = 'pending';
create index competition_entries_by_paid_at on competition_entries (paid_at) where paid_at is not null;

-- People who want to be told when there is a place.
create table waitlist_signups (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    name text not null,
    email text not null,
    instagram text,
    want_to_compete integer not null check (want_to_compete in (0, 1)),
    categories text,
    additional_nominations text not null,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references waitlist_signups (id) on delete set null
) strict;
create index waitlist_signups_listed on waitlist_signups
    (created_at, status,
     lower(name || char(10) || email || char(10) || coalesce(instagram_normalised, instagram, '')));
create index waitlist_signups_by_email on waitlist_signups (email collate nocase);

-- Inquiries by possible sponsors.
create table sponsor_inquiries (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'set_aside')),
    company text not null,
    email text not null,
    interest text not null,
    message text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references sponsor_inquiries (id) on delete set null
) strict;
create index sponsor_inquiries_listed on sponsor_inquiries
    (created_at, status, lower(company || char(10) || email));
create index sponsor_inquiries_by_email on sponsor_inquiries (email collate nocase);

-- An organiser's decisions and notes about a registration. A row without a change of status is a note.
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

-- Emails, one row for each. They are queued in the transaction that causes them.
--   words       the values for the template (JSON)
--   priority    0: payments, reports and alarms; 1: caused by the organiser; 2: caused by visitors
--   counted_as  what the ceilings count it as for a day: the mailbox of a confirmation, or a notice
--   written     the text and HTML that were sent (JSON); deleted after limits.sent_mail_days
create table outbox (
    id integer primary key autoincrement,
    created_at text not null,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'discarded')),
    due_at text not null,
    attempts integer not null default 0 check (attempts >= 0),
    sent_at text,
    last_error text,
    -- What the mail is for, so that one cause never makes two: 'confirmation/waitlist-signups/12'.
    cause text not null unique,
    message_id text not null unique,
    kind text,
    registration_id integer,
    recipient text not null,
    subject text not null,
    template text not null default 'written',
    words text not null default '{}',
    priority integer not null default 2 check (priority between 0 and 2),
    counted_as text,
    written text check (written is null or json_valid(written))
) strict;
create index outbox_waiting on outbox (priority, due_at) where state = 'waiting';
create index outbox_counted on outbox (counted_as, created_at) where counted_as is not null;
create index outbox_written on outbox (sent_at) where written is not null;
create index outbox_by_registration on outbox (kind, registration_id);
create index outbox_by_state on outbox (state, id);

-- The keys of requests, so that a repeated request gets the first answer. The hash detects a different body.
create table idempotency_keys (
    kind text not null,
    key text not null,
    body_hash blob not null,
    registration_id integer not null,
    created_at text not null,
    primary key (kind, key)
) strict, without rowid;

-- Who did what, and when. It has no personal data: a record is named by its kind and id.
create table audit_log (
    id integer primary key autoincrement,
    at text not null,
    actor text not null,
    action text not null,
    kind text,
    subject_id integer,
    detail text check (detail is null or json_valid(detail))
) strict;
create index audit_log_by_subject on audit_log (kind, subject_id);

-- The event's content. Each import is a row, and the newest one is shown. Without a row, the compiled-in default is.
create table content_revisions (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    note text not null default '',
    toml text not null
) strict;

-- The draft of the content: what organisers have changed in the browser and not published yet. One row at most.
--   version    grows with every change and is never used again, also not by the next draft
--   base       the revision that the draft was begun from, with its text; 0 is the compiled-in default
--   toml       the file as it would be published; null when no draft is open
create table content_draft (
    id integer primary key check (id = 1),
    version integer not null,
    base integer not null,
    base_toml text not null,
    toml text,
    saved_at text,
    actor text
) strict;

-- The organiser's pictures, by the name that the content uses. The uploaded file is not kept, only the sizes that were
-- encoded from it, which have no metadata such as locations, dates and devices.
--   alt               what the picture shows, for people who cannot see it
--   focus_x, focus_y  the point that stays in view when it is cropped, in percent from the left and from the top
--   version           grows when these change
create table images (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    name text not null unique,
    -- Of the bytes of all sizes; part of the address, so that an address never changes its bytes.
    hash text not null,
    content_type text not null check (content_type in ('image/jpeg', 'image/png')),
    alt text not null default '',
    focus_x integer not null default 50 check (focus_x between 0 and 100),
    focus_y integer not null default 50 check (focus_y between 0 and 100),
    version integer not null default 0
) strict;

-- A picture in one size, in pixels.
create table image_sizes (
    image_id integer not null references images (id) on delete cascade,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    bytes blob not null,
    primary key (image_id, width)
) strict;

-- Values of this installation, such as 'admin.password_hash'.
create table settings (
    key text primary key,
    value text not null,
    changed_at text not null
) strict, without rowid;

-- Signed-in organisers. The cookie's token is not stored, only its SHA-256. confirmed_at is when the password was last
-- entered again after signing in.
create table sessions (
    token_hash blob primary key,
    username text not null,
    created_at text not null,
    last_seen_at text not null,
    user_agent text,
    confirmed_at text
) strict, without rowid;
create index sessions_by_last_seen_at on sessions (last_seen_at);

-- The attachments of emails, such as a report's CSV.
create table outbox_attachments (
    id integer primary key autoincrement,
    outbox_id integer not null references outbox (id) on delete cascade,
    file_name text not null,
    content_type text not null,
    content blob not null
) strict;
create index outbox_attachments_by_outbox_id on outbox_attachments (outbox_id);

-- Organisers with their own name and password, which is stored as an Argon2id hash.
create table accounts (
    id integer primary key autoincrement,
    created_at text not null,
    username text not null unique collate nocase,
    password_hash text not null,
    password_changed_at text not null
) strict;

-- The payment provider's events that were processed, so that a repeated one does nothing.
create table stripe_events (
    id text primary key,
    type text not null,
    received_at text not null
) strict, without rowid;

-- The number of the last attempt of each request to the provider, which is part of its idempotency key. A definite
-- refusal starts a new attempt, because the provider repeats its answer for the same key.
create table stripe_attempts (
    name text primary key,
    attempt integer not null check (attempt > 0),
    at text not null
) strict, without rowid;

-- How many cards failed on a payment intent, which is cancelled after several. It has no personal data.
create table failed_cards (
    intent_id text primary key,
    count integer not null check (count > 0),
    last_at text not null
) strict, without rowid;

-- Refunds, those made in the provider's own dashboard included.
--   is_rest   whether it was requested as all that was left; null for those of the dashboard
--   reason    for the organisers only
--   notify    whether the person gets an email once it is done
--   category  the code of the nomination that is withdrawn once it is done
create table refunds (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    entry_id integer not null references competition_entries (id),
    amount_cents integer not null check (amount_cents > 0),
    -- asked: the provider has not answered. pending: it has, and the bank has not confirmed the refund.
    state text not null check (state in ('asked', 'pending', 'done', 'failed')),
    key text unique,
    refund_id text unique,
    is_rest integer check (is_rest in (0, 1)),
    reason text,
    notify integer not null default 0 check (notify in (0, 1)),
    category text
) strict;
create index refunds_by_entry on refunds (entry_id);

-- A cardholder's disputes with their bank.
create table disputes (
    dispute_id text primary key,
    entry_id integer not null references competition_entries (id),
    state text not null check (state in ('open', 'won', 'lost'))
) strict, without rowid;
create index disputes_by_entry on disputes (entry_id);

-- Payments that match no entry, until an organiser has resolved them.
create table payment_findings (
    id integer primary key autoincrement,
    found_at text not null,
    intent_id text not null unique,
    problem text not null check (problem in ('no_entry', 'wrong_amount', 'second_payment', 'refund_failed')),
    entry_id integer references competition_entries (id),
    amount_cents integer not null,
    currency text not null,
    settled_at text,
    settled_by text,
    note text
) strict;

-- To whom the ticket of an entry was offered, and who took it. The entry itself stays with the entrant. The link's token
-- is not stored, only its SHA-256.
create table ticket_transfers (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    entry_id integer not null references competition_entries (id) on delete cascade,
    state text not null default 'offered' check (state in ('offered', 'accepted', 'replaced')),
    name text not null,
    email text not null,
    token_hash blob unique,
    answered_at text
) strict;
create index ticket_transfers_by_entry on ticket_transfers (entry_id);
create index ticket_transfers_by_email on ticket_transfers (email collate nocase);

-- Who may come, one row each. A code is random and never given twice.
--   kind, subject_id  the registration, or 'judges' and the judge; null for somebody whom the organiser added
--   place             of several that one registration has
--   holder            the address of somebody else who has the ticket of an entry; empty: the entrant has it
--   day               the only day on which the person comes
--   void_reason       null while it is valid; 'program': it follows the registration
--   printed_at        when the organiser confirmed that its badge was printed
create table tickets (
    id integer primary key autoincrement,
    created_at text not null,
    code text not null unique,
    role text not null check (role in ('competitor', 'speaker', 'judge', 'demonstrator', 'sponsor', 'guest')),
    name text not null,
    business text,
    email text,
    note text,
    seat text,
    day text,
    kind text,
    subject_id integer,
    place integer not null default 1,
    holder text not null default '',
    void_reason text,
    void_by text check (void_by in ('program', 'organiser')),
    mailed_at text,
    printed_at text,
    unique (kind, subject_id, place, holder)
) strict;

-- How many people may come for a sponsor; without a row it is two.
create table sponsor_places (
    sponsor_id integer primary key references sponsor_applications (id) on delete cascade,
    places integer not null check (places between 0 and 50)
) strict;

-- Volunteers' phones. The token of their link is not stored, only its SHA-256.
--   waiting  how many scans the device still had when it was last heard of
create table door_devices (
    id integer primary key autoincrement,
    created_at text not null,
    name text not null,
    until text not null,
    token_hash blob not null unique,
    ended_at text,
    last_seen_at text,
    waiting integer not null default 0
) strict;

-- What devices scanned, also what let nobody in. The id is the device's own.
--   at            corrected when the device's clock was wrong (is_corrected)
--   sent          what was sent (JSON), to recognise the same scan
--   answer        the first answer (JSON)
--   lets_in       whether the person came in by it
--   is_late       the device had been ended
create table scans (
    id text primary key,
    device_id integer not null references door_devices (id),
    ticket_id integer references tickets (id) on delete set null,
    received_at text not null,
    code text not null,
    list text not null,
    at text not null,
    sent text not null check (json_valid(sent)),
    answer text not null check (json_valid(answer)),
    lets_in integer not null check (lets_in in (0, 1)),
    is_corrected integer not null check (is_corrected in (0, 1)),
    is_late integer not null check (is_late in (0, 1)),
    undone_at text
) strict;
create index scans_by_ticket on scans (ticket_id, list);

-- Links to the receipt of an entry. A link's token is not stored, only its SHA-256.
create table receipt_links (
    token_hash blob primary key,
    entry_id integer not null references competition_entries (id) on delete cascade,
    created_at text not null
) strict, without rowid;
create index receipt_links_by_entry on receipt_links (entry_id);

-- What an entrant added to her receipt for the accountant.
create table receipt_details (
    entry_id integer primary key references competition_entries (id) on delete cascade,
    business_name text,
    address text,
    tax_id text,
    changed_at text not null
) strict;

-- Certificates and the ACME account, so that a restart does not request new ones.
create table tls_cache (
    kind text not null check (kind in ('account', 'certificate')),
    -- SHA-256 of what it belongs to: the authority's directory, and the contact or the names.
    key text not null,
    -- An account's private key, or a certificate's key and chain as PEM.
    value blob not null,
    changed_at text not null,
    primary key (kind, key)
) strict, without rowid;

-- Addresses from which somebody has signed in, and browsers (the token of a cookie): wrong passwords from elsewhere do
-- not delay them. Only a keyed hash is stored.
create table known_addresses (
    address_hash blob primary key,
    last_used_at text not null
) strict, without rowid;

-- Which registrations a report names, or holds in its file: an erasure finds its reports by them.
create table report_registrations (
    outbox_id integer not null references outbox (id) on delete cascade,
    kind text not null,
    registration_id integer not null,
    primary key (outbox_id, kind, registration_id)
) strict, without rowid;
create index report_registrations_by_registration on report_registrations (kind, registration_id);

-- Emails to a group. The group is a saved question (JSON), which is counted live while it is a draft.
--   version     counts the changes of a draft, so that a save or a send that is based on an older one is refused
--   notice      why everybody in the group has to know it; such a notice has no link to unsubscribe. Null: any other mail
--   started_at  when the group was frozen
--   ended_at    when the last email was handed to the outbox, or the mailing was stopped
create table mailings (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    state text not null default 'draft' check (state in ('draft', 'sending', 'paused', 'stopped', 'sent')),
    version integer not null default 1 check (version > 0),
    audience text not null check (json_valid(audience)),
    subject text not null,
    text text not null,
    notice text check (notice in ('place', 'time', 'cancellation')),
    started_at text,
    ended_at text
) strict;

-- The frozen group of a mailing: nobody is in it twice, so nobody gets it twice.
--   skipped_because  why the person gets no email after all
--   outbox_id        the email; null before it is queued, and once it was deleted
create table mailing_recipients (
    id integer primary key autoincrement,
    mailing_id integer not null references mailings (id) on delete cascade,
    recipient text not null collate nocase,
    kind text not null,
    registration_id integer not null,
    state text not null default 'waiting' check (state in ('waiting', 'queued', 'skipped')),
    skipped_because text
        check (skipped_because in ('unsubscribed', 'refused', 'set_aside', 'erased', 'same_address', 'stopped', 'sent_before')),
    outbox_id integer references outbox (id) on delete set null,
    unique (mailing_id, recipient)
) strict;
create index mailing_recipients_waiting on mailing_recipients (mailing_id, id) where state = 'waiting';
create index mailing_recipients_by_recipient on mailing_recipients (recipient);
create index mailing_recipients_by_outbox_id on mailing_recipients (outbox_id) where outbox_id is not null;

-- Who wants no group mail any more. Only a keyed hash of the address is stored: it outlives an erasure.
create table unsubscribed (
    address_hash blob primary key,
    at text not null
) strict, without rowid;

-- Addresses that a mail server has refused for good, with its reply. Group mail skips them.
create table refused_addresses (
    recipient text primary key collate nocase,
    at text not null,
    reply text not null
) strict;

-- Invitations from the waitlist to enter. The link's token is not stored, only its SHA-256.
--   holds_until  when the invitation ends
--   entry_id     the entry that was made with the link; the invitation is accepted once that is paid
create table waitlist_invitations (
    id integer primary key autoincrement,
    signup_id integer not null references waitlist_signups (id) on delete cascade,
    token_hash blob not null unique,
    invited_at text not null,
    holds_until text not null,
    entry_id integer references competition_entries (id) on delete set null
) strict;
create index waitlist_invitations_by_signup on waitlist_invitations (signup_id);
create index waitlist_invitations_by_entry on waitlist_invitations (entry_id) where entry_id is not null;

-- Texts of standard emails that organisers have edited, by the email's name. Without a row, the content's text is sent.
create table mail_texts (
    name text primary key,
    changed_at text not null,
    actor text not null,
    subject text not null,
    text text not null
) strict;

-- One nomination for each category of a paid entry.
--   code            what judges see instead of a name: random, and derived from nothing
--   extended_until  the nomination's own deadline, if the organiser gave one
--   reason          why it was returned, forfeited or disqualified
--   returned_at, returned_slots  when it was returned, and which slots are open again since (JSON list of keys)
--   ticks           what the competitor confirmed when handing in (JSON object)
--   before_withdrawal  of a withdrawn nomination the state, reason and returned_slots that it had (JSON list)
create table nominations (
    id integer primary key autoincrement,
    created_at text not null,
    entry_id integer not null references competition_entries (id) on delete cascade,
    code text not null unique,
    category text not null,
    sub_category text not null,
    state text not null default 'open'
        check (state in ('open', 'handed_in', 'returned', 'ready', 'withdrawn', 'forfeited', 'disqualified')),
    handed_in_at text,
    extended_until text,
    reason text,
    returned_at text,
    returned_slots text check (returned_slots is null or json_valid(returned_slots)),
    ticks text check (ticks is null or json_valid(ticks)),
    before_withdrawal text check (before_withdrawal is null or json_valid(before_withdrawal)),
    unique (entry_id, category, sub_category)
) strict;

-- The links that were mailed to competitors. The link's token is not stored, only its SHA-256.
create table artist_links (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null
) strict, without rowid;
create index artist_links_by_email on artist_links (email);

-- The newest 6-digit code of each competitor's mailbox, as a SHA-256.
create table artist_codes (
    email text primary key collate nocase,
    code_hash blob not null,
    created_at text not null,
    wrong_tries integer not null default 0 check (wrong_tries >= 0)
) strict, without rowid;

-- Signed-in competitors. The cookie's token is not stored, only its SHA-256.
create table artist_sessions (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null,
    last_seen_at text not null
) strict, without rowid;
create index artist_sessions_by_email on artist_sessions (email);
create index artist_sessions_by_last_seen_at on artist_sessions (last_seen_at);

-- A photo of a nomination, one for each slot. Its bytes are in media_chunks.
--   upload_id      of a video: its bytes are the chunks of this upload, in upload_chunks, so that none are copied
--   bytes, sha256  of the photo as judges see it; the file that was uploaded is not kept
--   taken_at       when the camera says that it was taken; for the organiser only, as is software
create table media (
    id integer primary key autoincrement,
    created_at text not null,
    nomination_id integer not null references nominations (id) on delete cascade,
    slot text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    bytes integer not null check (bytes > 0),
    sha256 text not null,
    thumbnail_bytes integer not null check (thumbnail_bytes > 0),
    thumbnail_sha256 text not null,
    taken_at text,
    software text,
    kind text not null default 'photo' check (kind in ('photo', 'video')),
    image_hash integer,
    upload_id text unique,
    unique (nomination_id, slot)
) strict;

-- The bytes of photos, in rows of at most 1 MiB.
create table media_chunks (
    media_id integer not null references media (id) on delete cascade,
    size text not null check (size in ('full', 'thumbnail')),
    number integer not null,
    content blob not null check (length(content) <= 1048576),
    unique (media_id, size, number)
) strict;

-- Uploads that have begun. Once one is whole, media_id is what it became.
create table uploads (
    id text primary key,
    created_at text not null,
    expires_at text not null,
    nomination_id integer not null references nominations (id) on delete cascade,
    slot text not null,
    length integer not null check (length > 0),
    received integer not null default 0 check (received between 0 and length),
    media_id integer
) strict, without rowid;
create index uploads_by_nomination on uploads (nomination_id);

-- What has arrived of an upload, as it came; rows of at most 1 MiB. Nothing deletes them along with the row that names
-- them, which would take long with 100 MB: a sweep deletes those that no begun upload and no video needs, a few at a time.
create table upload_chunks (
    upload_id text not null,
    start integer not null,
    content blob not null check (length(content) <= 1048576),
    unique (upload_id, start)
) strict;

-- The release of each nomination's model. The key is in the link that the model opens.
--   confirmed_by  the organiser who confirmed it from the photo of a paper, which is in the slot 'release'; version,
--                 text and signature are then empty. Null: the model signed it on a phone
create table releases (
    nomination_id integer primary key references nominations (id) on delete cascade,
    key text not null unique,
    signed_at text,
    version text,
    text text,
    name text,
    adult integer check (adult in (0, 1)),
    guardian text,
    signature text,
    confirmed_by text
) strict;

-- People who judge. A judge who was removed keeps the row, because the log of scores names it.
--   public_name  the name on the site, if it is another one
create table judges (
    id integer primary key autoincrement,
    created_at text not null,
    name text not null,
    email text not null collate nocase unique,
    phone text,
    instagram text,
    business_name text,
    application_id integer,
    invited_at text,
    terms_version text,
    terms_accepted_at text,
    removed_at text,
    public_name text
) strict;

-- The links that were mailed to judges. The link's token is not stored, only its SHA-256.
create table judge_links (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null
) strict, without rowid;
create index judge_links_by_email on judge_links (email);

-- The newest 6-digit code of each judge's mailbox, as a SHA-256.
create table judge_codes (
    email text primary key collate nocase,
    code_hash blob not null,
    created_at text not null,
    wrong_tries integer not null default 0 check (wrong_tries >= 0)
) strict, without rowid;

-- Signed-in judges. The cookie's token is not stored, only its SHA-256.
create table judge_sessions (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null,
    last_seen_at text not null
) strict, without rowid;
create index judge_sessions_by_email on judge_sessions (email);
create index judge_sessions_by_last_seen_at on judge_sessions (last_seen_at);

-- A subcategory that is judged. The rubric is the content's until the first score, which stores it here.
--   rubric        JSON, with its version: the start of its SHA-256
--   results       what was sealed (JSON)
--   last_published  the results that were last public (JSON), also while they are reopened
create table judged_categories (
    id integer primary key autoincrement,
    category text not null,
    sub_category text not null,
    rubric text check (rubric is null or json_valid(rubric)),
    rubric_version text,
    rubric_locked_at text,
    sealed_at text,
    sealed_by text,
    published_at text,
    results text check (results is null or json_valid(results)),
    last_published text check (last_published is null or json_valid(last_published)),
    unique (category, sub_category)
) strict;

-- Who judges a subcategory.
create table panels (
    category_id integer not null references judged_categories (id) on delete cascade,
    judge_id integer not null references judges (id),
    role text not null check (role in ('judge', 'head', 'reserve')),
    position integer not null,
    primary key (category_id, judge_id)
) strict, without rowid;

-- Which judge does not score which nomination, and who said so.
create table judging_conflicts (
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    source text not null check (source in ('computed', 'competitor', 'judge', 'recused', 'organiser')),
    reason text not null,
    created_at text not null,
    primary key (judge_id, nomination_id)
) strict, without rowid;

-- One judge's sheet for one nomination. `token` and `position` are random: they tell nothing, and no two judges share them.
--   replaces     the judge for whom a reserve stepped in
--   comment      for the competitor
--   paper_by     who typed it in from paper
--   second_look  asked, kept or changed; second_look_reason is what the judge wrote, and the log has its SHA-256
create table sheets (
    id integer primary key autoincrement,
    created_at text not null,
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    token text not null unique,
    position integer not null,
    state text not null default 'open' check (state in ('open', 'saved', 'confirmed', 'conflict', 'abstained', 'second_look')),
    replaces integer references judges (id),
    reason text,
    comment text not null default '',
    saved_at text,
    confirmed_at text,
    paper_by text,
    second_look text check (second_look in ('asked', 'kept', 'changed')),
    second_look_reason text,
    unique (judge_id, nomination_id)
) strict;
create index sheets_by_nomination on sheets (nomination_id);

-- The photos of a nomination, by a random token for each judge.
create table photo_tokens (
    token text primary key,
    judge_id integer not null references judges (id),
    media_id integer not null references media (id) on delete cascade,
    unique (judge_id, media_id)
) strict, without rowid;
create index photo_tokens_by_media on photo_tokens (media_id);

-- Competitors by a random token for each judge, who declares conflicts from names without codes.
create table entrant_tokens (
    token text primary key,
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    unique (judge_id, nomination_id)
) strict, without rowid;
create index entrant_tokens_by_nomination on entrant_tokens (nomination_id);

-- Every value that a judge has given, and every step of a sheet. Rows are only added, and the results
-- follow from them. It has no names and no texts.
--   kind         points, penalty, comment, confirmed, reopened, conflict, abstained, second_look
--   change_id    the device's id of the change
--   detail       of a comment the SHA-256 of its text; of a step what it says
--   device_at    the device's clock, which decides nothing
create table score_log (
    id integer primary key autoincrement,
    at text not null,
    judge_id integer not null,
    code text not null,
    kind text not null,
    criterion text,
    points real,
    detail text,
    change_id text,
    device text,
    device_at text,
    rubric_version text not null,
    actor text,
    unique (judge_id, code, change_id)
) strict;
create index score_log_by_sheet on score_log (judge_id, code);

-- What competitors say about judges: trained by, working for or related to one whom the site names. Each entry of the person
-- has its own rows. Judges never see them.
--   judge  the name on the site
--   note   in the competitor's own words
--   state  'requested': too late to count at once, so the organiser decides
--   answer the organiser's reason, for the competitor
--   rejected_for  the codes of the nominations that the judge scores all the same, as the organiser decided
create table relations (
    entry_id integer not null references competition_entries (id) on delete cascade,
    judge text not null,
    kind text not null check (kind in ('trained_by', 'works_for', 'related_to')),
    note text,
    state text not null default 'counts' check (state in ('counts', 'requested')),
    rejected_for text not null default '[]' check (json_valid(rejected_for)),
    answer text,
    created_at text not null,
    primary key (entry_id, judge, kind)
) strict, without rowid;

-- The head judge's decisions about ties. `codes` is a JSON list, the better one first; `points` is the exact fraction that
-- all of them had, and a decision holds for no others.
create table tie_decisions (
    id integer primary key autoincrement,
    created_at text not null,
    category_id integer not null references judged_categories (id) on delete cascade,
    judge_id integer,
    actor text not null,
    codes text not null check (json_valid(codes)),
    points text not null,
    reason text not null
) strict;
create index tie_decisions_by_category on tie_decisions (category_id);

-- What `/verify/<code>` finds. The name is looked up when it is shown.
--   application_id  of an accepted application to speak
create table certificates (
    code text primary key,
    created_at text not null,
    kind text not null check (kind in ('participant', 'place', 'judge', 'speaker')),
    nomination_id integer references nominations (id) on delete cascade,
    judge_id integer references judges (id),
    category_id integer references judged_categories (id) on delete cascade,
    application_id integer references speaker_applications (id) on delete cascade
) strict, without rowid;
create index certificates_by_nomination on certificates (nomination_id);
