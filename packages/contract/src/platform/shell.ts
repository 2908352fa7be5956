import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText } from "../core/values.ts";
import { designFields, site } from "../core/site.ts";

/** Pictures of a design. PNG, JPEG or WebP. */
export const designPictures = ["logo_cloud", "logo_cloud_en", "logo_auth", "favicon"] as const;
export type DesignPicture = (typeof designPictures)[number];
/** Branding files reserved for platform staff, because they affect every page. */
export const designCode = ["stylesheet", "script"] as const;
export const designFiles = [...designPictures, ...designCode] as const;
export type DesignFile = (typeof designFiles)[number];

/** Upload limits: bytes of a picture and of a text file, and pixels of a picture. */
export const designBounds = { pictureBytes: 1024 * 1024, codeBytes: 256 * 1024, pixels: 4_000_000 } as const;

const Address = z.nullable(z.string());
const Colour = z.string().check(z.regex(/^#[\da-fA-F]{6}$/));
const Demo = z.object({
  email: z.string().check(z.trim(), z.maxLength(255)),
  password: z.string().check(z.maxLength(128)),
});
/** A URL of the web: only http or https, so that no link runs a script. */
const Link = z.string().check(z.trim(), z.maxLength(500), z.regex(/^(https?:\/\/[^\s]+)?$/));
/** A host name without port, in lower case. */
const Host = z.pipe(
  z.string().check(z.trim(), z.maxLength(253), z.regex(/^[a-zA-Z\d]([a-zA-Z\d.-]*[a-zA-Z\d])?$/)),
  z.transform((text: string) => text.toLowerCase()),
);
/** In a multipart form a list is one text, separated by commas; an empty text is an empty list. */
const Hosts = z.union([
  z.array(Host).check(z.maxLength(50)),
  z.pipe(
    z.string().check(z.maxLength(5000)),
    z.pipe(
      z.transform((text: string) => text.split(",").filter((part) => part.trim() !== "")),
      z.array(Host).check(z.maxLength(50)),
    ),
  ),
]);
/** Null, or an empty text in a multipart form: removes the present value. */
const TakenAway = z.nullable(z.literal(""));

/** Branding of a company as its editor shows it. */
const OwnDesign = z.object({
  ...designFields,
  title: Address,
  company_id: Id,
  accent: z.nullable(z.string()),
  hosts: z.array(z.string()),
  demo_email: Address,
});
export type OwnDesign = z.infer<typeof OwnDesign>;

/** Data for the browser before sign-in. */
export const shell = {
  ...site,
  ownDesign: call({
    id: "design.own",
    method: "GET",
    path: "personal_design/own/:id",
    right: "platform|admin",
    reach: "company",
    isOwn: true,
    summary: "Branding of one's own company, for platform staff that of any company of their branch",
    params: z.object({ id: IdText }),
    reply: z.object({ design: OwnDesign }),
    problems: ["platform_only"],
  }),
  saveDesign: call({
    id: "design.save",
    method: "PUT",
    path: "personal_design",
    right: "platform|admin",
    reach: "company",
    summary:
      "Changes the branding; omitted fields are unchanged. Files are parts of a form: logo_cloud, logo_cloud_en, logo_auth, favicon, and for platform staff stylesheet and script",
    body: z.object({
      company_id: z.optional(z.union([Id, IdText])),
      title: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(100)))),
      linkToHelp: z.optional(z.nullable(Link)),
      accent: z.optional(z.nullable(z.union([Colour, z.literal("")]))),
      hosts: z.optional(Hosts),
      demo: z.optional(z.nullable(Demo)),
      logo_cloud: z.optional(TakenAway),
      logo_cloud_en: z.optional(TakenAway),
      logo_auth: z.optional(TakenAway),
      favicon: z.optional(TakenAway),
      stylesheet: z.optional(TakenAway),
      script: z.optional(TakenAway),
    }),
    reply: z.object({ design: OwnDesign }),
    problems: ["demo_refused", "platform_only", "host_taken", "token_refused"],
  }),
};
