/**
 * What a letter is about: a key that its sender gives, or a number of its own. Its Message-ID follows from it, and a
 * company writes no second letter with the same key. Calls need to read it to see that.
 */
export default {
  name: "0157-keys-of-letters",
  up: /* sql */ `
alter table letter add column key text not null default gen_random_uuid()::text;
create unique index letter_key on letter (company_id, key);
grant select (key) on letter to metrum_api;
`,
};
