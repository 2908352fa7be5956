import { z } from "zod/mini";
import { publicCall } from "./core/call.ts";

const Address = z.nullable(z.string());

/** What the browser needs before anybody has signed in. */
export const shell = {
  siteProperties: publicCall({
    id: "site.properties",
    method: "GET",
    path: "site_properties",
    summary: "What this installation offers at sign-in",
    reply: z.object({
      is_kerberos: z.boolean(),
      ldap_support: z.boolean(),
      use_random_password: z.boolean(),
      build_type: z.enum(["cloud", "server"]),
      socket_url: z.string().check(z.describe("real-time address; empty: the origin of the page")),
    }),
  }),
  design: publicCall({
    id: "design.get",
    method: "GET",
    path: "personal_design",
    summary: "White-label design of the host; the default one for a host without",
    reply: z.object({
      title: z.string(),
      logo_cloud: Address,
      logo_cloud_en: Address,
      logo_auth: Address,
      linkToHelp: Address,
      stylesheet: Address,
      favicon: Address,
      script: Address,
      demo: z.nullable(z.object({ email: z.string(), password: z.string() })),
    }),
  }),
};
