/**
 * The reason why a network server is not connected is a code, which is translated; the network's own report
 * is stored with it.
 */
export default {
  name: "0025-network-server-reasons",
  up: /* sql */ `
alter table network_server add column state_reason text check (state_reason in ('sign_in', 'topics', 'busy', 'declined', 'answered',
  'not_allowed', 'name_unknown', 'not_listening', 'no_route', 'no_answer', 'certificate', 'closed', 'secret', 'other'));
update network_server set state_reason = 'other' where state in ('refused', 'unreachable');
grant select (state_reason) on network_server to metrum_api;
`,
};
