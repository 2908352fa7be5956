import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "#core";
import { mqttAccount, putMqttAccount } from "./store.ts";

/** What a network server needs to publish for a company. The password is shown once: only its hash is kept. */
export interface MqttCredentials {
  readonly username: string;
  readonly password: string;
  /** Put in front of every topic. */
  readonly prefix: string;
}

const hashOf = (secret: string | Buffer) => createHash("sha256").update(secret).digest();

/** Makes a new account for the company at the embedded broker; an earlier one ends. The password is 256 random bits. */
export async function issueMqttCredentials(database: Database, companyId: number): Promise<MqttCredentials> {
  const username = `c${companyId}`;
  const password = randomBytes(32).toString("base64url");
  await putMqttAccount(database, { companyId, username, secretHash: hashOf(password) });
  return { username, password, prefix: username };
}

/** The company of an account; undefined when name or password is wrong. */
export async function companyOfAccount(
  database: Database,
  username: string,
  password: Buffer,
): Promise<number | undefined> {
  const account = await mqttAccount(database, username);
  const given = hashOf(password);
  const isRight = timingSafeEqual(given, account?.secretHash ?? hashOf(given));
  return account && isRight ? account.companyId : undefined;
}
