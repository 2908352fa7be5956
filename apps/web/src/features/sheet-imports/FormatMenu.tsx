import { fileFormats, type Call, type FileColumn, type FileFormat } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ignoreFailure, receive } from "#lib/call";
import { saveFile } from "#lib/csv";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Menu } from "#ui/menu";
import { snack } from "#ui/snackbar";

/** A call that answers rows, and the file that it is to answer instead. */
export interface WantedFile {
  readonly call: Call;
  readonly body: object;
  readonly title: string;
  readonly columns: readonly FileColumn[];
}

/** A button that saves rows in a format of the user's choice. */
export function FormatMenu({ label, wanted }: { readonly label: string; readonly wanted: WantedFile }) {
  const { t } = useTranslation("grid");
  const { zone } = useSession();
  const [isBusy, setBusy] = useState(false);
  const save = async (format: FileFormat): Promise<void> => {
    const { call, body, title, columns } = wanted;
    setBusy(true);
    try {
      const { name, content } = await receive(call, {
        body: { ...body, file: { format, title, zone, columns } },
      });
      saveFile(name, content);
      snack(t("file.saved", { name }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      label={label}
      items={fileFormats.map((format) => ({
        id: format,
        title: t(`file.${format}`),
        // The call has reported the failure.
        onSelect: () => void save(format).catch(ignoreFailure),
      }))}
      trigger={(props) => (
        <Button {...props} icon="download" isBusy={isBusy} disabled={isBusy}>
          {label}
        </Button>
      )}
    />
  );
}
