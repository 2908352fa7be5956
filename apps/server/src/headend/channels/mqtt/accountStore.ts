import { sql } from "kysely";
import type { Database, Db } from "#core";

export interface MqttAccount {
  readonly companyId: number;
  readonly username: string;
  readonly secretHash: Buffer;
}

/** The account of this name at the embedded broker; undefined when there is none or its company is switched off. Rows: one, by primary key. */
export async function mqttAccount(database: Database, username: string): Promise<MqttAccount | undefined> {
  const { rows } = await sql<MqttAccount>`
    select company_id as "companyId", username, secret_hash as "secretHash"
    from mqtt_account join company on company.id = company_id
    where username = ${username} and company.is_active`.execute(database.system);
  return rows[0];
}

/** Hashes of the passwords that hold now, by account; of companies that are switched off, none. Rows: some, by primary key. */
export async function mqttSecrets(
  database: Database,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await sql<Pick<MqttAccount, "username" | "secretHash">>`
    select username, secret_hash as "secretHash"
    from mqtt_account join company on company.id = company_id
    where username = any(${[...usernames]}::text[]) and company.is_active`.execute(database.system);
  return new Map(rows.map(({ username, secretHash }) => [username, secretHash]));
}

/** `userId` and `at` are null when the server itself gives the password. */
export async function putMqttAccount(
  db: Db,
  account: MqttAccount & {
    readonly userId: number | null;
    readonly at: number | null;
  },
): Promise<void> {
  await sql`
    insert into mqtt_account (company_id, username, secret_hash, issued_by, issued_at)
    values (${account.companyId}, ${account.username}, ${account.secretHash}, ${account.userId}, ${account.at})
    on conflict (username) do update set company_id = excluded.company_id, secret_hash = excluded.secret_hash,
      issued_by = excluded.issued_by, issued_at = excluded.issued_at
  `.execute(db);
}

export interface MqttIssue {
  /** Epoch seconds UTC; null: the server itself has given the password, or it is older than this column. */
  readonly at: number | null;
  /** Name of the user; null as well when it is not one of the company. */
  readonly by: string | null;
}

/** Who gave the password that holds, and when; undefined when there is none. Rows: one, by primary key. */
export async function mqttIssue(db: Db, username: string): Promise<MqttIssue | undefined> {
  const { rows } = await sql<MqttIssue>`
    select issued_at::float8 as at, u.name as by from mqtt_account left join users u on u.id = issued_by
    where mqtt_account.username = ${username}`.execute(db);
  return rows[0];
}

/** Channel on which brokers hear that the account of a company has another password. */
export const mqttAccountChannel = "mqtt_account";

/** Told when the transaction ends. */
export async function tellAccount(db: Db, companyId: number): Promise<void> {
  await sql`select pg_notify(${mqttAccountChannel}, ${String(companyId)})`.execute(db);
}
