import { problem } from "@metrum/contract/core";
import { designBounds, shell as table } from "@metrum/contract/platform";
import { serve, withFiles, withMessage, type Api } from "#core";
import { changeDesign, designFor, designRoot, ownDesign } from "./designs.ts";
import { keepReport } from "./errors.ts";
import { mediaTypeOf } from "./files.ts";
import { fileBytes } from "./store.ts";

const { saveDesign, ...others } = table;

export async function serveShell(api: Api): Promise<void> {
  serve(api, others, {
    siteProperties: (_, { config }) => ({
      is_kerberos: config.kerberosHeader !== undefined,
      ldap_support: config.ldap !== undefined,
      is_oidc: config.oidc !== undefined,
      use_random_password: config.randomPasswords,
      self_registration: config.selfRegistration,
      build_type: config.buildType,
      socket_url: config.socketUrl,
    }),
    design: (_, ctx) => designFor(ctx),
    ownDesign: async ({ params }, ctx) => ({ design: await ownDesign(ctx, params.id) }),
    reportError: async ({ body }, ctx) => ({ report_id: await keepReport(ctx, body) }),
  });
  await withFiles(api, { fileBytes: designBounds.pictureBytes, files: 6 }, (withParts) => {
    serve(
      withParts,
      { saveDesign },
      {
        saveDesign: async ({ body }, ctx) => withMessage({ design: await changeDesign(ctx, body) }, "saved"),
      },
    );
  });
  serveFiles(api);
}

/**
 * Pictures, style sheets and scripts of designs: cached by browsers forever, with content sniffing disabled.
 */
function serveFiles({ fastify, services }: Api): void {
  fastify.get<{ Params: { name: string } }>(
    `${designRoot}/:name`,
    { schema: { hide: true } },
    async ({ params: { name } }, reply) => {
      const type = mediaTypeOf(name);
      const bytes = type === undefined ? undefined : await fileBytes(services.database.system, name);
      if (type === undefined || bytes === undefined) throw problem("not_found");
      return reply
        .type(type)
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("content-security-policy", "default-src 'none'; sandbox")
        .header("cross-origin-resource-policy", "same-origin")
        .send(bytes);
    },
  );
}
