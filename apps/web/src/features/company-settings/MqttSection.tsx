import { mappings, type MqttMapping } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, useCall } from "#lib/call";
import { Button, IconButton } from "#ui/button";
import { Switch } from "#ui/field";
import { AskedSettings, SettingsRow, SettingsSection } from "#ui/settings";
import { EmptyState } from "#ui/states";
import { changeLine, removeLine } from "./lines.ts";
import { MappingForm } from "./MappingForm.tsx";
import { MqttAccountSection } from "./MqttAccountSection.tsx";

/** Broker address for the company's own publishers, and the mappings of their messages. */
export function MqttSection() {
  return (
    <>
      <MqttAccountSection />
      <MappingsSection />
    </>
  );
}

function MappingsSection() {
  const { t } = useTranslation("companySettings");
  const query = useCall(mappings.list, {}, { isQuiet: true });
  const [edited, setEdited] = useState<MqttMapping | "new" | null>(null);
  const add = (
    <Button icon="plus" onClick={() => setEdited("new")}>
      {t("mqtt.add")}
    </Button>
  );
  return (
    <AskedSettings title={t("mqtt.title")} failed={t("mqtt.failed")} query={query}>
      {({ prefix, mappings: rows }) => (
        <>
          <SettingsSection
            title={t("mqtt.title")}
            text={t("mqtt.prefix", { prefix })}
            actions={rows.length > 0 && edited !== "new" ? add : undefined}
          >
            {rows.length === 0 && edited === null ? (
              <EmptyState title={t("mqtt.empty")} text={t("mqtt.emptyText")}>
                {add}
              </EmptyState>
            ) : null}
            <div className="settings-lines">
              {rows.map((row) => (
                <MappingLine key={row.id} row={row} onEdit={() => setEdited(row)} />
              ))}
            </div>
          </SettingsSection>
          {edited === null ? null : (
            <MappingForm
              key={edited === "new" ? 0 : edited.id}
              edited={edited === "new" ? null : edited}
              onClose={() => setEdited(null)}
            />
          )}
        </>
      )}
    </AskedSettings>
  );
}

function MappingLine({ row, onEdit }: { readonly row: MqttMapping; readonly onEdit: () => void }) {
  const { t } = useTranslation("companySettings");
  const { name, definition, is_active } = row;
  const save = (isActive: boolean) =>
    exchange(mappings.save, { body: { name, definition, is_active: isActive } });
  const question = {
    title: t("mqtt.removeTitle", { name }),
    text: t("mqtt.removeText"),
    action: t("mqtt.removeAction"),
  };
  const remove = () => exchange(mappings.remove, { body: { topic: definition.topic } });
  return (
    <SettingsRow title={name} text={definition.topic}>
      <Switch
        checked={is_active}
        onChange={({ currentTarget: { checked } }) => void changeLine(mappings.list, () => save(checked))}
      >
        <span className="visually-hidden">{t("mqtt.on", { name })}</span>
      </Switch>
      <IconButton icon="edit" label={t("mqtt.edit", { name })} onClick={onEdit} />
      <IconButton
        icon="trash"
        label={t("mqtt.remove", { name })}
        onClick={() => void removeLine(mappings.list, question, remove)}
      />
    </SettingsRow>
  );
}
