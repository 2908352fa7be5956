import { shell as table } from "@metrum/contract";
import { serve, type Api, type Domain } from "#core";
import { demoPassword } from "#users";

/** What the browser needs before anybody has signed in. */
export const shell: Domain = { name: "shell", calls: serveShell };

function serveShell(api: Api): void {
  serve(api, table, {
    siteProperties: (_, { config }) => ({
      is_kerberos: false,
      ldap_support: false,
      use_random_password: false,
      build_type: config.buildType,
      socket_url: config.socketUrl,
    }),
    design: (_, { config }) => ({
      title: "Metrum",
      logo_cloud: null,
      logo_cloud_en: null,
      logo_auth: null,
      linkToHelp: null,
      stylesheet: null,
      favicon: null,
      script: null,
      demo: demoOf(config),
    }),
  });
}

/** The Demo button: the first of the demo addresses, only where the demonstration is and not in the server build. */
function demoOf(config: Api["services"]["config"]): { email: string; password: string } | null {
  const [email] = config.demoUsers;
  if (!config.demo || config.buildType !== "cloud" || email === undefined) return null;
  return { email, password: demoPassword };
}
