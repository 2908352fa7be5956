import { problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { designCode, fitAccent, type OwnDesign, type shell } from "@metrum/contract/platform";
import type { CompanyId } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx, type PublicCtx } from "#core";
import { demoPassword } from "#access/users";
import { checkFiles, type CheckedFile } from "./files.ts";
import * as store from "./store.ts";

type Design = ReplyOf<typeof shell.design>;
type Change = ParsedOf<typeof shell.saveDesign>["body"];

/** Path of the files of designs. */
export const designRoot = "/design";

/** Design of a host without its own. */
const plain = {
  title: "Metrum",
  logo_cloud: null,
  logo_cloud_en: null,
  logo_auth: null,
  linkToHelp: null,
  stylesheet: null,
  favicon: null,
  script: null,
  accent: null,
  is_default: true,
} as const;

/** The design of the requested host; the default one for an unknown host. */
export async function designFor({ database, config, host }: PublicCtx): Promise<Design> {
  const row = await store.designOf(database.system, host);
  const demo = demoOf(config);
  if (!row) return { ...plain, demo };
  return {
    ...addressed(row),
    title: row.title ?? plain.title,
    accent: row.accent === null ? null : fitAccent(row.accent),
    is_default: false,
    demo: config.buildType === "cloud" ? (row.demo ?? demo) : null,
  };
}

/** The design of a company as its editor shows it. Problems: not_found, platform_only. */
export async function ownDesign(ctx: Ctx, id: number): Promise<OwnDesign> {
  const company = await editable(ctx, id);
  const { db } = ctx;
  return shown(company, await store.designOfCompany(db, company), await store.hostsOf(db, company));
}

/**
 * Changes the given fields. Administrators of a company change title, help, accent and pictures of their own
 * design; its hosts, style sheet, script and demo account are reserved for platform staff, because they
 * affect others.
 */
export async function changeDesign(ctx: Ctx, given: Change): Promise<OwnDesign> {
  const company = await editable(ctx, given.company_id ?? ctx.scope.companyId);
  const { db } = ctx;
  const hosts = await store.hostsOf(db, company);
  const files = checkFiles(ctx.files);
  if (!ctx.scope.access.is_platform) refuseReserved(given, files, hosts);
  const before = await store.designOfCompany(db, company);
  const row = await store.saveDesign(db, company, changeOf(given, files));
  await store.keepFiles(db, row, files);
  if (given.hosts) await giveHosts(ctx, company, [...new Set(given.hosts)]);
  const after = shown(company, row, await store.hostsOf(db, company));
  await record(ctx, {
    action: "design.save",
    subject: `company ${String(company)}`,
    before: shown(company, before, hosts),
    after,
  });
  return after;
}

/** The own company, for platform staff also one below; others count as not existing. */
async function editable(ctx: Ctx, id: number): Promise<CompanyId> {
  const company = await resolveOne(ctx, "company", id);
  if (company !== ctx.scope.companyId && !ctx.scope.access.is_platform) throw problem("platform_only");
  return company;
}

/** A user who may not choose the hosts may repeat the present ones. */
async function giveHosts(ctx: Ctx, company: CompanyId, hosts: readonly string[]): Promise<void> {
  if (!ctx.scope.access.is_platform) return;
  if ((await store.assignHosts(ctx.db, company, hosts)) < hosts.length)
    throw problem("host_taken", { attributes: { hosts: ["host_taken"] } });
}

function refuseReserved(given: Change, files: readonly CheckedFile[], hosts: readonly string[]): void {
  const isCode = (field: string) => designCode.some((each) => each === field);
  const fields = [
    ...Object.keys(given).filter((field) => isCode(field) || field === "demo"),
    ...files.map(({ field }) => field).filter(isCode),
    ...(given.hosts && given.hosts.toSorted().join() !== hosts.toSorted().join() ? ["hosts"] : []),
  ];
  if (fields.length > 0)
    throw problem("platform_only", {
      attributes: Object.fromEntries(fields.map((field) => [field, ["platform_only"]])),
    });
}

/** An empty text removes the present file; an uploaded file replaces it. */
function changeOf(given: Change, files: readonly CheckedFile[]): store.DesignChange {
  const { company_id: _company, hosts: _hosts, demo, ...texts } = given;
  return {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null])),
    ...Object.fromEntries(files.map(({ field, name }) => [field, name])),
    ...(demo === undefined ? {} : { demo: demo?.email ? demo : null }),
  };
}

function shown(company: CompanyId, row: store.DesignRow | undefined, hosts: string[]): OwnDesign {
  const { title = null, accent = null, demo = null } = row ?? {};
  const files = row ? addressed(row) : { ...plain, is_default: undefined };
  const { logo_cloud, logo_cloud_en, logo_auth, favicon, stylesheet, script, linkToHelp } = files;
  return {
    company_id: company,
    title,
    accent,
    hosts,
    linkToHelp,
    demo_email: demo?.email ?? null,
    ...{ logo_cloud, logo_cloud_en, logo_auth, favicon, stylesheet, script },
  };
}

/** Replaces file names by their URLs. */
function addressed(row: store.DesignRow) {
  const at = (name: string | null): string | null => (name === null ? null : `${designRoot}/${name}`);
  return {
    linkToHelp: row.linkToHelp,
    logo_cloud: at(row.logo_cloud),
    logo_cloud_en: at(row.logo_cloud_en),
    logo_auth: at(row.logo_auth),
    favicon: at(row.favicon),
    stylesheet: at(row.stylesheet),
    script: at(row.script),
  };
}

/**
 * The Demo button: the first of the demo addresses, only with the demonstration on and not in the server
 * build.
 */
function demoOf(config: PublicCtx["config"]): Design["demo"] {
  const [email] = config.demoUsers;
  if (!config.demo || config.buildType !== "cloud" || email === undefined) return null;
  return { email, password: demoPassword };
}
