import { services } from "@metrum/contract/access";
import { serve, withMessage, type Api } from "#core";
import { exportToAlmatySu } from "./kinds/almatySu.ts";
import {
  companyServices,
  offerService,
  removeService,
  serviceGroups,
  serviceLog,
  setService,
} from "./services.ts";

export function serveServices(api: Api): void {
  serve(api, services, {
    groups: async (_, ctx) => ({ service_groups: await serviceGroups(ctx) }),
    companyList: (_, ctx) => companyServices(ctx),
    companySet: async ({ body }, ctx) => withMessage(await setService(ctx, body), "saved"),
    companyDelete: async ({ params }, ctx) => {
      await removeService(ctx, params.id);
      return withMessage({}, "service_removed");
    },
    companyLog: async ({ body }, ctx) => ({ service_logs: await serviceLog(ctx, body) }),
    offer: async ({ body }, ctx) => withMessage({ service: await offerService(ctx, body) }, "saved"),
    almatySuExport: async ({ body }, ctx) => {
      const done = await exportToAlmatySu(ctx, body);
      return withMessage(done, "service_exported", { count: done.rows });
    },
  });
}
