import type { Services, Stop } from "#core";
import { startBridges } from "#headend/bridge";
import { enterPresence, openDevicePorts, type DevicePorts } from "#headend/channels";
import { startListening, startNetwork, takeDatagram, takeMqttMessage } from "#headend/uplinks";
import { prepareJobs } from "#headend/dialogue";
import { hurrySilent } from "./store.ts";
import { startLineWorker, type LineWorker } from "./worker.ts";

/** A process that talks to devices, with the ports it has opened. */
export interface Dialogue {
  readonly ports: DevicePorts;
  readonly stop: Stop;
}

/** Enters among the processes, opens the device ports and runs the work of the lines. */
export async function openDialogue(services: Services): Promise<Dialogue> {
  const { database, log, clock } = services;
  await prepareJobs(services);
  const reportFailure = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => log.error({ err: error }, "lines could not be taken again"));
  };
  const held: { ports?: DevicePorts; worker?: LineWorker } = {};
  // Under a new number nothing is ours any more: lines are closed, their modems dial in again.
  const startAgain = async (): Promise<void> => {
    if (!held.ports) return;
    await held.ports.lines.closeAll();
    await held.worker?.stop();
    held.worker = await startLineWorker(services, held.ports, presence.id);
  };
  const presence = await enterPresence(database, log, {
    onBack: () => held.ports?.takeAgain(),
    onLost: () => reportFailure(startAgain()),
  });
  const ports = await openDevicePorts({
    services,
    presence,
    onMqttMessage: (message) => takeMqttMessage(services, message),
    onDatagram: (datagram) => takeDatagram(services, datagram),
    onLineUp: (gatewayId) => {
      hurrySilent(database.system, gatewayId, clock.now()).catch((error: unknown) => {
        log.warn({ err: error }, "the devices of a line that came back wait for their slots");
      });
    },
  });
  held.ports = ports;
  const stopNetwork = startNetwork({ services, broker: ports, processId: () => presence.id });
  held.worker = await startLineWorker(services, ports, presence.id);
  const stopListening = startListening(services, ports.lines);
  const stopBridges = await startBridges({ services, lines: ports.lines, processId: () => presence.id });
  return {
    ports,
    async stop() {
      await stopNetwork();
      await Promise.all([stopBridges(), stopListening()]);
      await Promise.all([held.worker?.stop(), ports.stop()]);
      await presence.leave();
    },
  };
}

export async function startDialogue(services: Services): Promise<Stop> {
  return (await openDialogue(services)).stop;
}
