import type { Domain, Services, Stop } from "#core";
import { enterPresence, openDevicePorts, requirePortProfiles, type DevicePorts } from "#headend/channels";
import { hurrySilent } from "#metering/device-state";
import type { LineWork } from "./lineWork.ts";
import { prepareJobs } from "./prepareJobs.ts";
import { startLineWorker, type LineWorker } from "./worker.ts";

/** A process that talks to devices, with its open ports. */
export interface Dialogue {
  readonly ports: DevicePorts;
  readonly stop: Stop;
}

/** Registers as a process, opens the device ports and runs the jobs of the lines. */
export async function openDialogue(services: Services, work: LineWork): Promise<Dialogue> {
  const { database, log, clock } = services;
  await prepareJobs(services);
  const reportFailure = (attempt: Promise<void>): void => {
    attempt.catch((error: unknown) => log.error({ err: error }, "lines could not be taken again"));
  };
  const startWorker = (ports: DevicePorts): Promise<LineWorker> =>
    startLineWorker(services, {
      jobs: work.jobs,
      at: { ...ports, processId: () => presence.id },
      presence,
    });
  const held: { ports?: DevicePorts; worker?: LineWorker } = {};
  // Claims under the old number are void: lines are closed, their modems dial in again.
  const startAgain = async (): Promise<void> => {
    if (!held.ports) return;
    await held.ports.lines.closeAll();
    await held.worker?.stop();
    held.worker = await startWorker(held.ports);
  };
  const presence = await enterPresence(database, log, {
    onBack: () => held.ports?.claimAgain(),
    onLost: () => reportFailure(startAgain()),
  });
  const ports = await openDevicePorts({
    services,
    presence,
    onMqttMessage: (message) => work.takeMqttMessage(services, message),
    onDatagram: (datagram) => work.takeDatagram(services, datagram),
    onLineUp: (gatewayId) => {
      hurrySilent(database.system, gatewayId, clock.now()).catch((error: unknown) => {
        log.warn({ err: error }, "the devices of a reconnected line wait for their slots");
      });
    },
  });
  held.ports = ports;
  held.worker = await startWorker(ports);
  const beside: Stop[] = [];
  for (const start of work.beside)
    beside.push(await start({ services, ports, processId: () => presence.id }));
  return {
    ports,
    async stop() {
      // The lines are closed only when commands on them have ended: one that is broken off has an unknown outcome.
      await Promise.all([held.worker?.finish(), ...beside.map((stop) => stop())]);
      await Promise.all([held.worker?.stop(), ports.stop()]);
      await presence.leave();
    },
  };
}

/**
 * Talks to devices in every process with the role broker, running the work that the domains have declared.
 */
export const dialogue = (work: LineWork): Domain => ({
  name: "dialogue",
  requireSettings: requirePortProfiles,
  broker: async (services) => (await openDialogue(services, work)).stop,
});
