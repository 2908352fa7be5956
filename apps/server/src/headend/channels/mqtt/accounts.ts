import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Db, Services } from "#core";
import { mqttAccount, putMqttAccount, tellAccount, type MqttAccount } from "./accountStore.ts";

/**
 * Credentials with which a network server publishes for a company. The password is shown once: only its hash
 * is stored.
 */
export interface MqttCredentials {
  readonly username: string;
  readonly password: string;
  /** Prefix of every topic. */
  readonly prefix: string;
}

/** User who issues a new password for a company, and the time. */
export interface Issue {
  readonly companyId: number;
  readonly userId: number;
  /** Epoch seconds UTC. */
  readonly at: number;
}

const hashOf = (secret: string | Buffer) => createHash("sha256").update(secret).digest();

/** Name of the account of a company at the embedded broker. */
export const mqttUsername = (companyId: number): string => `c${companyId}`;

/**
 * The account of a company's simulated meters, separate from the company's own: renewing one does not end the
 * other. The password is derived from the key file of the installation, so that it is the same at every start
 * and in every process, and is stored nowhere.
 */
export async function parkCredentials(
  { secretBox, database }: Pick<Services, "secretBox" | "database">,
  companyId: number,
): Promise<Omit<MqttCredentials, "prefix">> {
  const username = `${mqttUsername(companyId)}-park`;
  const password = secretBox.mac(username, "mqtt_account").toString("base64url");
  const account = { companyId, username, secretHash: hashOf(password), userId: null, at: null };
  await putMqttAccount(database.system, account);
  return { username, password };
}

/** Creates a new account for the company at the embedded broker, without an issuer; an earlier one ends. */
export function issueMqttCredentials(database: Database, companyId: number): Promise<MqttCredentials> {
  return newPassword(database.system, { companyId });
}

/**
 * Gives the company a new password of 256 random bits, in the transaction of a call. On commit the earlier
 * one becomes invalid, and every broker closes the connections that used it.
 */
export function renewMqttCredentials(db: Db, issue: Issue): Promise<MqttCredentials> {
  return newPassword(db, issue);
}

async function newPassword(
  db: Db,
  { companyId, userId, at }: Pick<Issue, "companyId"> & Partial<Issue>,
): Promise<MqttCredentials> {
  const username = mqttUsername(companyId);
  const password = randomBytes(32).toString("base64url");
  const issued = { userId: userId ?? null, at: at ?? null };
  await putMqttAccount(db, { companyId, username, secretHash: hashOf(password), ...issued });
  await tellAccount(db, companyId);
  return { username, password, prefix: username };
}

/** The account of these credentials; undefined when name or password is wrong. */
export async function accountOf(
  database: Database,
  username: string,
  password: Buffer,
): Promise<MqttAccount | undefined> {
  const account = await mqttAccount(database, username);
  const given = hashOf(password);
  const isRight = timingSafeEqual(given, account?.secretHash ?? hashOf(given));
  return account && isRight ? account : undefined;
}
