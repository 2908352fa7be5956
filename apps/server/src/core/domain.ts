import type { Services } from "./http/context.ts";
import type { Api } from "./http/serve.ts";

/** Ends a background part: in order, within seconds, losing nothing that was acknowledged. */
export type Stop = () => Promise<void>;

/** A domain as `app.ts` and `main.ts` see it: its calls for the role api, its background parts by role. */
export interface Domain {
  readonly name: string;
  readonly calls?: (api: Api) => void | Promise<void>;
  readonly api?: (services: Services, http: Api["fastify"]) => Stop | Promise<Stop>;
  readonly worker?: (services: Services) => Stop | Promise<Stop>;
  readonly broker?: (services: Services) => Stop | Promise<Stop>;
}
