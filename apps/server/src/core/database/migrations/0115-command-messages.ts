/** What the platform says of the outcome of a command is stored as a code, and told in the language of the reader. */
export default {
  name: "0115-command-messages",
  up: /* sql */ `
-- A key of commandMessages; the text beside it is what a device or driver has said. Null: only that text.
alter table device_command add column message_code text;
`,
};
