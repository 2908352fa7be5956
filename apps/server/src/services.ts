import { sheetImportBounds } from "@metrum/contract/metering";
import { createPointSource, createRatioUse } from "#accounting/accounting-points";
import { createMetrics, createSecretBox, createSheetReader, type Services } from "#core";
import { createLetterKinds } from "#access/letters";
import { createLicenceFile } from "#access/licence";
import { createOidcProviders } from "#access/auth";
import { createProofs, secondFactorLetters } from "#access/profile";
import { registrationLetters } from "#access/registration";
import { accountLetters } from "#access/users";
import { openCommandBatches } from "#headend/control";
import { createKnownMappings } from "#headend/mappings";
import { createSharedNames, openUplinkIntake } from "#headend/uplinks";
import { createCodecs } from "#metering/codecs";
import { createDeviceTotals } from "#metering/devices";
import { createImportParser } from "#metering/imports";
import { openReadingStore } from "#metering/messages";
import { createAddressServices } from "#accounting/addresses";
import { objectSheets } from "#accounting/smart-import";

/** Configuration and resources of a process. */
type Given = Pick<Services, "config" | "database" | "bus" | "clock" | "log">;

/** Builds once what the domains of one process share and keep in its memory. */
export function createServices(given: Given): Services {
  const readingStore = openReadingStore(given);
  return {
    ...given,
    metrics: createMetrics(),
    secretBox: createSecretBox(given.config),
    parts: {
      letterKinds: createLetterKinds([...registrationLetters, ...accountLetters, ...secondFactorLetters]),
      licenceFile: createLicenceFile(),
      oidcProviders: createOidcProviders(),
      proofs: createProofs(),
      codecs: createCodecs(),
      deviceTotals: createDeviceTotals(given.bus),
      importParser: createImportParser(),
      sheetReader: createSheetReader(sheetImportBounds),
      readingStore,
      knownMappings: createKnownMappings(),
      uplinkIntake: openUplinkIntake({ ...given, parts: { readingStore } }),
      commandBatches: openCommandBatches(given),
      sharedNames: createSharedNames(),
      pointSource: createPointSource(),
      ratioUse: createRatioUse(),
      objectSheets,
      addressServices: createAddressServices(given),
    },
  };
}
