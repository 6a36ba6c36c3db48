-- A mail is kept as its template and its words, and becomes text and HTML when it is sent or looked at. What was
-- written before, and what was sent, is the template 'written' and stays as it is.
alter table outbox add column template text not null default 'written';
alter table outbox add column words text not null default '{}';
update outbox set words = json_object('text', body_text, 'html', body_html);
alter table outbox drop column body_text;
alter table outbox drop column body_html;

-- A registration does not wait for what a rare look may take: keys are forgotten once a day, and who asks for one
-- person's mails looks through all.
drop index outbox_by_recipient;
drop index idempotency_keys_by_created_at;
