import { sql } from "kysely";
import type { Db } from "#core";

/** How a device was last received, and its frame counter. */
export interface NetworkSession {
  readonly deviceId: number;
  readonly way: string;
  readonly application: string;
  readonly topic: string;
  readonly devAddr: string;
  /**
   * Network server that the platform connects to, if it was received there; null: through the embedded
   * broker, or a push without one.
   */
  readonly serverId: number | null;
  /** The webhook by which it was received, if it accepts downlinks; its key is sealed. */
  readonly webhook: { readonly url: string; readonly key: Uint8Array } | null;
  /** Null after a join. */
  readonly lastFcnt: number | null;
  readonly lastHeardAt: number;
}

const columns = sql`device_id as "deviceId", way, application, topic, dev_addr as "devAddr", network_server_id as "serverId", last_fcnt as "lastFcnt",
  last_heard_at as "lastHeardAt", webhook_url as "webhookUrl", webhook_key as "webhookKey"`;

type Row = Omit<NetworkSession, "webhook"> & {
  readonly webhookUrl: string | null;
  readonly webhookKey: Buffer | null;
};

const sessionIn = ({ webhookUrl, webhookKey, ...row }: Row): NetworkSession => ({
  ...row,
  webhook: webhookUrl === null || webhookKey === null ? null : { url: webhookUrl, key: webhookKey },
});

/**
 * Sessions of these devices, locked until the transaction ends, always in the same order. Rows: one per
 * device, by primary key.
 */
export async function holdSessions(
  db: Db,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, NetworkSession>> {
  const { rows } = await sql<Row>`
    select ${columns} from network_session where device_id = any(${[...deviceIds]}::int[])
    order by device_id for update`.execute(db);
  return new Map(rows.map((row) => [row.deviceId, sessionIn(row)]));
}

export async function sessionOf(db: Db, deviceId: number): Promise<NetworkSession | undefined> {
  const { rows } =
    await sql<Row>`select ${columns} from network_session where device_id = ${deviceId}`.execute(db);
  return rows[0] && sessionIn(rows[0]);
}

/** Rows: one per device, by primary key. A known downlink path is not overwritten by none. */
export async function putSessions(db: Db, sessions: readonly NetworkSession[]): Promise<void> {
  const rows = sessions.toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`
    insert into network_session (device_id, way, application, topic, dev_addr, last_fcnt, last_heard_at, network_server_id,
      webhook_url, webhook_key)
    select * from unnest(${rows.map((row) => row.deviceId)}::int[], ${rows.map((row) => row.way)}::text[],
      ${rows.map((row) => row.application)}::text[], ${rows.map((row) => row.topic)}::text[],
      ${rows.map((row) => row.devAddr)}::text[], ${rows.map((row) => row.lastFcnt)}::bigint[],
      ${rows.map((row) => row.lastHeardAt)}::bigint[],
      ${rows.map((row) => row.serverId)}::int[], ${rows.map((row) => row.webhook?.url ?? null)}::text[],
      ${rows.map((row) => (row.webhook ? Buffer.from(row.webhook.key) : null))}::bytea[])
    on conflict (device_id) do update set way = excluded.way, application = excluded.application,
      topic = excluded.topic, dev_addr = excluded.dev_addr, last_fcnt = excluded.last_fcnt,
      last_heard_at = excluded.last_heard_at,
      network_server_id = excluded.network_server_id, webhook_url = excluded.webhook_url,
      webhook_key = excluded.webhook_key`.execute(db);
}
