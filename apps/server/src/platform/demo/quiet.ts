import { signInInterface, type CompanyId, type DeviceId } from "@metrum/vocabulary";
import type { Db, SecretBox } from "#core";
import { insertBaseStation } from "#metering/base-stations";
import { addDevices } from "#metering/devices";
import { addGateway, gatewayModel, noteSession, putGatewayPassword } from "#metering/gateways";
import { meterOf } from "./catalogue.ts";
import { noteSimulated } from "./simulated.ts";

const models = { modem: 602, converter: 603, concentrator: 621, meter: 102, station: 701 } as const;

/** The modem was last connected this long ago. */
const deadSec = 2 * 86_400;

interface Quiet {
  readonly db: Db;
  readonly secretBox: SecretBox;
  readonly companyId: CompanyId;
  readonly now: number;
}

/**
 * Things of the demonstration that nothing simulates: a modem that has died, with two meters behind it, a
 * concentrator on ethernet_uspd, and a gateway and a base station each in the archive and in the trash. Returns the
 * two meters.
 */
export async function seedQuiet({ db, secretBox, companyId, now }: Quiet): Promise<DeviceId[]> {
  const gateway = async (modelId: number, name: string, identity: string, more: object = {}) => {
    const id = await addGateway(db, { companyId, model: gatewayModel(modelId), name, identity, ...more });
    if (id === undefined) throw new Error(`another gateway is called ${identity}`);
    return id;
  };
  const dead = await gateway(models.modem, "GW-0219", "004401950009019", { desc: "TP-29" });
  await noteSession(db, dead, now - deadSec);
  const meters = [1, 2].map((at) => ({
    companyId,
    model: meterOf(models.meter),
    gatewayId: dead,
    baseStationId: null,
    name: `SDM120 №4199000${String(at)}`,
    place: `TP-29, input ${String(at)}`,
    deviceID: `4199000${String(at)}`,
    insideAddr: String(at),
    settings: { report_period_update: 60, warning_report_period: 900, starting_value: 0, impulse_weight: 1 },
  }));
  const behindDead = await addDevices(db, meters);
  await noteSimulated(db, behindDead);
  const uspd = await gateway(models.concentrator, "GW-0501", "250-000501", {
    desc: "TP-30",
    interfaceId: signInInterface,
    login: "reader",
  });
  await putGatewayPassword({ db, secretBox }, { id: uspd, companyId, text: "demonstration" });
  const deletedAt = new Date(now * 1000);
  await gateway(models.converter, "GW-0306", "31000006", { desc: "Dismantled", deletedAt });
  await gateway(models.modem, "GW-0112", "004401950009012", {
    desc: "Boiler house, closed",
    is_archived: true,
  });
  const station = { company_id: companyId, model_id: models.station, radius: 2_500 };
  await insertBaseStation(db, {
    ...station,
    name: "BS-01",
    device_id: "1c497bfffecb0a01",
    deleted_at: deletedAt,
  });
  await insertBaseStation(db, {
    ...station,
    name: "BS-02, former",
    device_id: "1c497bfffecb0a02",
    is_archived: true,
  });
  return behindDead;
}
