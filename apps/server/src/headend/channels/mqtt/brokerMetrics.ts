import type { Figure } from "#core";
import type { Broker } from "./broker.ts";
import type { BrokerTotals } from "./brokerNotes.ts";

/** Metrics of the broker for the operator: its usage, and what it had to drop. */
export function brokerFigures({ totals }: Pick<Broker, "totals">): Figure[] {
  const gauge = (name: keyof BrokerTotals, as: string, help: string): Figure => ({
    name: `metrum_mqtt_${as}`,
    help,
    kind: "gauge",
    read: () => totals()[name],
  });
  const counter = (name: keyof BrokerTotals, as: string, help: string): Figure => ({
    ...gauge(name, `${as}_total`, help),
    kind: "counter",
  });
  return [
    gauge("connections", "connections", "Clients that are connected to the broker"),
    gauge("sessions", "sessions", "Sessions that the broker remembers"),
    gauge("filters", "filters", "Filters of connected clients"),
    gauge("owedBytes", "owed_bytes", "Messages that are kept for sleeping and slow clients"),
    gauge("unreadBytes", "unread_bytes", "Messages that were sent to clients and not read by them"),
    gauge("receivingBytes", "receiving_bytes", "Large packets that are on their way in"),
    gauge("willBytes", "will_bytes", "Last wills of connected clients"),
    counter("droppedMessages", "dropped_messages", "Messages that were owed and dropped at a bound"),
    counter("droppedSessions", "dropped_sessions", "Sessions that were ended at a bound"),
    counter("slowClients", "slow_clients", "Clients that were cut off because they do not read"),
    counter("refused", "refused", "Connections, filters and packets that were refused at a bound"),
  ];
}
