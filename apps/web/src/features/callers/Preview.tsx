import type { inbox, InboxPreview } from "@metrum/contract/headend";
import { models } from "@metrum/contract/metering";
import { fieldOf, isFieldName, resourceOfGroup, units } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };

interface Props {
  readonly query: ReturnType<typeof useCall<typeof inbox.preview>>;
  /** The chosen model; empty: none. */
  readonly modelId: string;
}

/** What a device has sent: the values that the chosen model reads, and the bytes. */
export function Preview({ query, modelId }: Props) {
  const { t } = useTranslation("callers");
  const { data, error } = query;
  if (error)
    return (
      <ErrorState
        title={t("preview.failed")}
        message={reasonOf(error)}
        onRetry={() => void query.refetch()}
      />
    );
  if (!data) return <Skeleton height={72} />;
  if (data.messages.length === 0) return null;
  return (
    <section className="caller-preview" aria-label={t("preview.title")}>
      <Values models={data.models} modelId={modelId} />
      <Messages messages={data.messages} />
    </section>
  );
}

function Values({ models: readers, modelId }: Pick<InboxPreview, "models"> & Pick<Props, "modelId">) {
  const { t } = useTranslation("callers");
  const { language, number } = useFormat();
  const { data } = useCall(models.devices, { body: {} }, forever);
  const reader = readers.find(({ model_id }) => String(model_id) === modelId);
  if (!reader)
    return <p className="caller-of">{t(readers.length === 0 ? "preview.noModel" : "preview.notRead")}</p>;
  const group = data?.metering_devices.find(({ id }) => id === reader.model_id)?.device_group_id;
  const resource = resourceOfGroup(group ?? 0).key;
  return (
    <dl aria-label={t("preview.readsTitle")}>
      {Object.entries(reader.values).map(([name, value]) => {
        const field = isFieldName(name) ? fieldOf(name, resource) : undefined;
        return (
          <div key={name}>
            <dt>{field?.title[language] ?? name}</dt>
            <dd>
              {number(value, field?.decimals)} {field ? units[field.unit][language] : ""}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Messages({ messages }: Pick<InboxPreview, "messages">) {
  const { t } = useTranslation("callers");
  const { number } = useFormat();
  const { zone } = useSession();
  return (
    <details className="caller-more">
      <summary>{t("preview.title")}</summary>
      <ol className="caller-messages">
        {messages.map(({ at, topic, bytes, hex }, index) => (
          <li key={index}>
            <span>
              <b>{formatDateTime(at, zone)}</b>
              <small>{t("preview.bytes", { count: bytes, shown: number(bytes, 0) })}</small>
            </span>
            <small>{topic}</small>
            <code>{textOf(hex) ?? spaced(hex)}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}

const spaced = (hex: string): string => (hex.match(/../g) ?? []).join(" ").toUpperCase();

/** Messages of network servers are text. */
function textOf(hex: string): string | undefined {
  if (!hex.startsWith("7b")) return undefined;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return new TextDecoder().decode(bytes);
}
