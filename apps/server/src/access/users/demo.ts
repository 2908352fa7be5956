import type { AccessRules } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import type { Db, Services } from "#core";
import { companyById, companyNamed, createCompany, modulesFor, type CompanyRow } from "#access/companies";
import { hashPassword } from "./passwords.ts";
import { create as createGroup } from "./groupStore.ts";
import { accountOf, createUser } from "./store.ts";

/** Password of every demonstration account: public, because the accounts exist only with METRUM_DEMO. */
export const demoPassword = "Metrum!2026";

const provider = "Metrum";

interface DemoCompany {
  readonly key: string;
  readonly name: string;
  readonly under: string;
  readonly timezone: string;
  readonly isDealer?: boolean;
  readonly isDemo?: boolean;
  readonly onlyApi?: boolean;
}

const companies: readonly DemoCompany[] = [
  { key: "dealer", name: "Selenge Energy", under: "provider", timezone: "Asia/Ulaanbaatar", isDealer: true },
  { key: "first", name: "Darkhan Utility Networks", under: "dealer", timezone: "Asia/Ulaanbaatar" },
  { key: "second", name: "Orkhon Housing Association", under: "dealer", timezone: "Asia/Ulaanbaatar" },
  {
    key: "api",
    name: "Industrial Park Darkhan",
    under: "dealer",
    timezone: "Asia/Ulaanbaatar",
    onlyApi: true,
  },
  { key: "demo", name: "Greenhouse South", under: "provider", timezone: "Europe/Samara", isDemo: true },
];

interface DemoUser {
  readonly name: string;
  readonly company: string;
  /** Rights of an access group of that name; an administrator if absent. */
  readonly group?: { readonly name: string; readonly rules: Partial<AccessRules> };
}

const users: Readonly<Record<string, DemoUser>> = {
  "admin@metrum.example": { name: "Administrator", company: "provider" },
  "dealer@metrum.example": { name: "Dealer", company: "dealer" },
  "engineer@metrum.example": { name: "Engineer", company: "first" },
  "operator@metrum.example": {
    name: "Operator",
    company: "first",
    group: { name: "Operators", rules: { read: [4, 5, 6, 8], update: [4] } },
  },
  "engineer2@metrum.example": { name: "Engineer", company: "second" },
  "viewer@metrum.example": {
    name: "Viewer",
    company: "second",
    group: { name: "Viewers", rules: { read: [4] } },
  },
  "norights@metrum.example": { name: "Newcomer", company: "first", group: { name: "No rights", rules: {} } },
  "api@metrum.example": { name: "API client", company: "api" },
};

/**
 * Creates missing demonstration companies and accounts; idempotent. One transaction, so that they exist
 * completely or not at all. Other demonstration data refers to the ids of the two client companies.
 */
export async function seedAccounts(services: Services): Promise<{ first: CompanyId; second: CompanyId }> {
  const { database, clock, config } = services;
  const passwordHash = await hashPassword(demoPassword);
  return database.system.transaction().execute(async (db) => {
    const made = await seedCompanies(db, config.providerCompanyId);
    const demo = config.demoUsers.map((email): [string, DemoUser] => [
      email,
      { name: "Demo", company: "demo" },
    ]);
    for (const [email, user] of [...Object.entries(users), ...demo])
      await seedUser(db, email, {
        user,
        companyId: idOf(made, user.company),
        passwordHash,
        at: new Date(clock.nowMs()),
      });
    return { first: idOf(made, "first"), second: idOf(made, "second") };
  });
}

async function seedCompanies(db: Db, providerId: number): Promise<Map<string, CompanyRow>> {
  const made = new Map([["provider", await ensureProvider(db, providerId)]]);
  for (const each of companies) {
    const parent = made.get(each.under);
    if (!parent) throw new Error(`${each.key} is listed before ${each.under}`);
    const found = await companyNamed(db, parent.id, each.name);
    made.set(
      each.key,
      found ??
        (await createCompany(db, parent, {
          name: each.name,
          timezone: each.timezone,
          is_dealer: each.isDealer ?? false,
          is_demo: each.isDemo ?? false,
          options: each.onlyApi ? { only_api: true } : {},
          active_modules: modulesFor({ isDealer: true }),
        })),
    );
  }
  return made;
}

/** The company of provider staff, root of the tree: its id is fixed by the build. */
export async function ensureProvider(db: Db, id: number): Promise<CompanyRow> {
  const found = await companyById(db, id as CompanyId);
  return (
    found ??
    createCompany(db, undefined, {
      id: id as CompanyId,
      name: provider,
      timezone: "Europe/Samara",
      is_dealer: true,
      active_modules: modulesFor({ isDealer: true }),
    })
  );
}

async function seedUser(
  db: Db,
  email: string,
  {
    user,
    companyId,
    passwordHash,
    at,
  }: {
    readonly user: DemoUser;
    readonly companyId: CompanyId;
    readonly passwordHash: string;
    readonly at: Date;
  },
): Promise<void> {
  if (await accountOf(db, email)) return;
  const none: AccessRules = { create: [], read: [], update: [], delete: [], access_all: [] };
  const group = user.group && {
    company_id: companyId,
    name: user.group.name,
    access_rules: { ...none, ...user.group.rules },
  };
  const access_group_id = group ? (await createGroup(db, group)).id : null;
  await createUser(db, {
    company_id: companyId,
    access_group_id,
    email,
    name: user.name,
    is_admin: user.group === undefined,
    password_hash: passwordHash,
    personal_data_access_at: at,
    language: "ru",
  });
}

function idOf(made: ReadonlyMap<string, CompanyRow>, key: string): CompanyId {
  const row = made.get(key);
  if (!row) throw new Error(`no demonstration company ${key}`);
  return row.id;
}
