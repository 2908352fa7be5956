import { consumers } from "@metrum/contract/access";
import { lazily } from "#lib/load";
import { ConsumerCard } from "./ConsumerCard.tsx";
import { consumerList } from "./consumerList.tsx";
import { directoryScreen } from "./directoryScreen.tsx";

const ConsumerDialog = lazily(async () => ({
  default: (await import("./ConsumerDialog.tsx")).ConsumerDialog,
}));

/** Consumers of the company, and the card of one. */
export const ConsumersPage = directoryScreen({
  kind: "consumers",
  list: consumerList,
  create: consumers.create,
  Card: ConsumerCard,
  added: (props) => <ConsumerDialog consumer={null} {...props} />,
});
