/**
 * An address belongs to the account that has proved it: any company may invite it without learning whether it has an
 * account elsewhere. Another address of one's own account counts once the link sent there is opened.
 */
export default {
  name: "0169-proven-addresses",
  up: /* sql */ `
-- Who has signed in has accepted the invitation; from now on a password set by its link does.
update users set invited_at = null where invited_at is not null and last_sign_in_at is not null;
alter table users drop constraint users_email_key;
create unique index users_email_key on users (email) where invited_at is null;
create unique index users_email_of_company on users (company_id, email);
create index users_email on users (email);

-- The address that the link proves.
alter table letter_link add column email citext;
alter table letter_link drop constraint letter_link_purpose_check;
alter table letter_link add constraint letter_link_purpose_check
  check (purpose in ('activation', 'reset', 'invitation', 'address'));
alter table letter_link add check ((purpose = 'address') = (email is not null));
`,
};
