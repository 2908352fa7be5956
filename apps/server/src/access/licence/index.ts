import { licence as table } from "@metrum/contract/access";
import { serve, withMessage, type Api, type Domain } from "#core";
import { licenceInfo, takeLicence } from "./licence.ts";

export { issueLicence, isPublicKey, makeKeys, readLicence } from "./file.ts";
export { freePlaces, lastDay, licenceDaysLeft, refuseNewDevices, refuseWhenExpired } from "./limits.ts";
export { createLicenceFile, licenceState, type LicenceNow } from "./state.ts";
export { countDevices } from "./store.ts";

/** The licence of a server installation. */
export const licence: Domain = { name: "licence", calls: serveLicence };

function serveLicence(api: Api): void {
  serve(api, table, {
    info: (_, ctx) => licenceInfo(ctx),
    upload: async ({ body }, ctx) => withMessage(await takeLicence(ctx, body.file), "licence_taken"),
  });
}
