/** Downlink address of a webhook: its push address, and the key that came with it. */
export default {
  name: "0026-webhook-downlinks",
  up: /* sql */ `
-- Null: the device was not received by a webhook that accepts downlinks.
alter table network_session add column webhook_url text;
-- Sealed under the key file for the company of the device.
alter table network_session add column webhook_key bytea;
alter table network_session add constraint webhook_whole check ((webhook_url is null) = (webhook_key is null));
-- Sealed values are never read by the API.
revoke select on network_session from metrum_api;
grant select (device_id, way, application, topic, dev_addr, last_fcnt, last_heard_at, network_server_id, webhook_url)
  on network_session to metrum_api;
`,
};
