import pg from "pg";
import { rightsOf, type Rights } from "./rightsStore.ts";

/**
 * Ends a start that would fail in the middle for lack of a right. Errors: Error with the statements by which an
 * administrator of PostgreSQL grants what is missing.
 */
export async function requireRights(client: Pick<pg.Pool, "query">): Promise<void> {
  const rights = await rightsOf(client);
  const { statements, packages } = lacking(rights);
  if (statements.length === 0 && packages.length === 0) return;
  const { login, database } = rights;
  const lines = [
    `METRUM_DATABASE_URL: the login "${login}" lacks rights in the database "${database}". Nothing was changed.`,
  ];
  if (packages.length > 0)
    lines.push(
      `The server of PostgreSQL lacks the extensions ${packages.join(", ")}: install its package of additional modules (postgresql-contrib).`,
    );
  if (statements.length > 0)
    lines.push(
      `An administrator of PostgreSQL runs, connected to "${database}":`,
      ...statements.map((statement) => `  ${statement}`),
    );
  throw new Error(lines.join("\n"));
}

/** Statements that grant what the login lacks, and extensions that the server itself lacks. */
export function lacking(rights: Rights): {
  readonly statements: readonly string[];
  readonly packages: readonly string[];
} {
  if (rights.isSuperuser) return { statements: [], packages: notInstalled(rights) };
  return {
    statements: [...ofDatabase(rights), ...ofExtensions(rights), ...ofSchema(rights), ...ofRole(rights)],
    packages: notInstalled(rights),
  };
}

const name = (text: string): string => pg.escapeIdentifier(text);

const notInstalled = ({ missing }: Rights): string[] =>
  missing.filter(({ isInstalled }) => !isInstalled).map((each) => each.name);

/** The jobs have a schema of their own, which the job runner makes at its first start. */
function ofDatabase({ login, database, createsInDatabase, missing, hasJobSchema }: Rights): string[] {
  const creates = !hasJobSchema || missing.some(({ isTrusted }) => isTrusted);
  return createsInDatabase || !creates
    ? []
    : [`grant create on database ${name(database)} to ${name(login)};`];
}

const ofExtensions = ({ missing }: Rights): string[] =>
  missing
    .filter(({ isInstalled, isTrusted }) => isInstalled && !isTrusted)
    .map((each) => `create extension ${name(each.name)};`);

function ofSchema({ login, schema, createsInSchema }: Rights): string[] {
  if (schema === null) return [`create schema ${name(login)} authorization ${name(login)};`];
  return createsInSchema ? [] : [`grant usage, create on schema ${name(schema)} to ${name(login)};`];
}

/** The role of API transactions has no login and no rights but those that Metrum grants it. */
function ofRole({ login, createsRoles, hasApiRole, usesApiRole }: Rights): string[] {
  const grant = `grant metrum_api to ${name(login)};`;
  if (hasApiRole) return usesApiRole ? [] : [grant];
  return createsRoles ? [] : ["create role metrum_api nologin;", grant];
}
