import type { Call, InputOf } from "@metrum/contract/core";
import { companyModels, messageGroups, models, readings } from "@metrum/contract/metering";
import { callOptions, ignoreFailure, queryClient } from "#lib/call";

const kept = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };

function load<C extends Call>(definition: C, input: InputOf<C>): void {
  // On failure the list is requested again by the screen that needs it.
  queryClient.query(callOptions(definition, input, kept)).catch(ignoreFailure);
}

/**
 * Reference lists that any screen may need, requested once the shell is open: device groups, interfaces,
 * groups and types of messages, models, brands and titles of fields. Each has an ETag, so that a second start
 * downloads none of them again (SESS-035).
 */
export function loadReferences(): void {
  load(models.groups, { body: {} });
  load(models.interfaces, { body: {} });
  load(models.devices, { body: {} });
  load(models.gateways, { body: {} });
  load(models.baseStations, { body: {} });
  load(companyModels.devices, {});
  load(models.brands, { body: {} });
  load(messageGroups.list, {});
  load(readings.typesGet, {});
  load(readings.fieldTitles, {});
}
