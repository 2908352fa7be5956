import { shell } from "@metrum/contract";
import { request } from "#lib/call";

/** What this host shows on its sign-in page. */
export interface SiteOffer {
  readonly title: string;
  readonly logo: string | null;
  /** Credentials of the Demo button; null hides it. */
  readonly demo: { readonly email: string; readonly password: string } | null;
}

export const plainOffer: SiteOffer = { title: "Metrum", logo: null, demo: null };

/** Nobody is kept from signing in because a logo could not be loaded. */
export async function loadSiteOffer(): Promise<SiteOffer> {
  const [design, site] = await Promise.all([
    request(shell.design, {}).catch(() => null),
    request(shell.siteProperties, {}).catch(() => null),
  ]);
  if (design === null) return plainOffer;
  const { title, logo_auth, demo } = design.data;
  return { title, logo: logo_auth, demo: site?.data.build_type === "cloud" ? demo : null };
}
