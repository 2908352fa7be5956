import { z } from "zod/mini";
import { publicCall } from "./call.ts";

/** Name of the product, on every screen and in every error report. */
export const appVersion = "2025.4.63";

const Address = z.nullable(z.string());
const Tones = z.object({ accent: z.string(), on_accent: z.string(), selected: z.string() });

/** Branding as seen by visitors. */
export const designFields = {
  title: z.string(),
  logo_cloud: Address,
  logo_cloud_en: Address,
  logo_auth: Address,
  linkToHelp: Address,
  stylesheet: Address,
  favicon: Address,
  script: Address,
};

/** Requested by the browser before sign-in. Separate, because it is loaded with every page. */
export const site = {
  siteProperties: publicCall({
    id: "site.properties",
    method: "GET",
    path: "site_properties",
    summary: "Sign-in options of this installation",
    isReference: true,
    reply: z.object({
      is_kerberos: z.boolean(),
      ldap_support: z.boolean(),
      is_oidc: z.boolean(),
      use_random_password: z.boolean(),
      self_registration: z.boolean().check(z.describe("companies may register themselves")),
      build_type: z.enum(["cloud", "server"]),
      socket_url: z.string().check(z.describe("real-time address; empty: the origin of the page")),
    }),
  }),
  design: publicCall({
    id: "design.get",
    method: "GET",
    path: "personal_design",
    summary: "Branding of the host, or the default branding",
    isReference: true,
    reply: z.object({
      ...designFields,
      accent: z.nullable(z.object({ light: Tones, dark: Tones, is_moved: z.boolean() })),
      is_default: z.boolean().check(z.describe("the default branding applies")),
      demo: z.nullable(z.object({ email: z.string(), password: z.string() })),
    }),
  }),
  reportError: publicCall({
    id: "error.report",
    method: "POST",
    path: "service/error_report",
    summary: "Reports an error of the web app; equal errors are counted",
    perMinute: 20,
    body: z.object({
      message: z.string().check(z.minLength(1), z.maxLength(10_000)),
      stack: z.optional(z.nullable(z.string().check(z.maxLength(10_000)))),
      url: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
      user_agent: z.optional(z.nullable(z.string().check(z.maxLength(1_000)))),
      app_version: z.optional(z.nullable(z.string().check(z.maxLength(50)))),
    }),
    reply: z.object({ report_id: z.string() }),
  }),
};
