import { site as siteCalls, type ReplyOf } from "@metrum/contract/core";
import { ignoreFailure, request } from "#lib/call";
import { loadDesign, type Design } from "#lib/design";

/** Options of the sign-in page of this host. */
export interface SiteOffer {
  readonly title: string;
  readonly logo: string | null;
  /** Credentials of the Demo button; null hides it. */
  readonly demo: { readonly email: string; readonly password: string } | null;
  readonly canRegister: boolean;
  /** No white-label branding applies: the app is offered under its own name. */
  readonly isPlain: boolean;
  /** Directories available for a sign-in. */
  readonly directories: readonly ("ldap" | "kerberos" | "oidc")[];
}

export const plainOffer: SiteOffer = {
  title: "Metrum",
  logo: null,
  demo: null,
  canRegister: false,
  isPlain: true,
  directories: [],
};

type Site = ReplyOf<typeof siteCalls.siteProperties>;

/** A missing logo must not prevent signing in. */
export async function loadSiteOffer(): Promise<SiteOffer> {
  const [design, site] = await Promise.all([
    loadDesign(),
    request(siteCalls.siteProperties, {}).catch(ignoreFailure),
  ]);
  return {
    ...plainOffer,
    ...shownBy(design),
    ...offeredBy(site?.data, design.demo),
  };
}

function shownBy({ title, logo_auth, is_default }: Design): Partial<SiteOffer> {
  return { title, logo: logo_auth, isPlain: is_default };
}

/** Registration and demonstration exist in the cloud only. */
function offeredBy(site: Site | undefined, demo: SiteOffer["demo"] = null): Partial<SiteOffer> {
  if (site === undefined) return {};
  const isCloud = site.build_type === "cloud";
  const known = { ldap: site.ldap_support, kerberos: site.is_kerberos, oidc: site.is_oidc };
  return {
    demo: isCloud ? demo : null,
    canRegister: isCloud && site.self_registration,
    directories: (["ldap", "kerberos", "oidc"] as const).filter((each) => known[each]),
  };
}
