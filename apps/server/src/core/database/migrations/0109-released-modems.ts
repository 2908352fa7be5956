/** When the process that held the connection of a modem ended: the modem is expected to dial in again. */
export default {
  name: "0109-released-modems",
  up: /* sql */ `
-- Epoch seconds. Null: the modem has dialled in since, or has hung up itself.
alter table modem_connection add column released_at bigint;
create index modem_connection_released on modem_connection (gateway_id) where released_at is not null;
`,
};
