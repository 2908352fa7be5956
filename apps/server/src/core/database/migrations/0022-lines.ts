/** Lines that are serial ports of the server, and lines on which meters send unsolicited telegrams. */
export default {
  name: "0022-lines",
  up: /* sql */ `
-- A serial port of the machine on which the server runs: {"path", "baud_rate", "data_bits", "parity", "stop_bits"}. Takes precedence over host and port.
alter table gateway add column serial jsonb
  check (serial is null or coalesce(jsonb_typeof(serial -> 'path') = 'string', false));
-- Unsolicited telegrams on the line: {"to": "p1" | "wmbus_lines" | "wmbus_stick", "hello": hexadecimal}. Null: polled meters.
alter table gateway add column listens jsonb
  check (listens is null or coalesce(listens ->> 'to' in ('p1', 'wmbus_lines', 'wmbus_stick'), false));
create index gateway_listening on gateway (id) where listens is not null;
`,
};
