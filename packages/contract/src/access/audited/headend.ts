import { title } from "./title.ts";

/** Actions on lines and of what is sent over them. */
export const headendActions = {
  "control.freeze": title(
    "Остановка или разрешение управления приборами",
    "Stopping or releasing the control of devices",
    "Төхөөрөмжийн удирдлагыг зогсоох, зөвшөөрөх",
  ),
  "control.policy": title(
    "Правила управления приборами",
    "Rules of the control of devices",
    "Төхөөрөмжийн удирдлагын журам",
  ),
  "pollGroup.create": title("Создание группы опроса", "Creating a poll group", "Асуулгын бүлэг үүсгэлт"),
  "pollGroup.update": title("Изменение группы опроса", "Changing a poll group", "Асуулгын бүлэг өөрчлөлт"),
  "pollGroup.switch": title(
    "Включение или отключение группы опроса",
    "Switching a poll group on or off",
    "Асуулгын бүлэг идэвхжүүлэх, идэвхгүй болгох",
  ),
  "pollGroup.replace": title(
    "Перенос приборов в группу опроса",
    "Moving devices to a poll group",
    "Төхөөрөмжийг асуулгын бүлэгт шилжүүлэлт",
  ),
  "pollGroup.delete": title("Удаление группы опроса", "Deleting a poll group", "Асуулгын бүлэг устгалт"),
  "task.cancel": title("Отмена задач", "Cancelling tasks", "Даалгавар цуцлалт"),
  "modem.poll": title("Опрос за модемом", "Poll behind a modem", "Модемын цаадах асуулга"),
  "line.test": title("Проверка линии", "Test of a line", "Шугамын шалгалт"),
  "bridge.open": title("Прозрачный порт открыт", "A transparent port was opened", "Тунгалаг порт нээсэн"),
  "bridge.close": title("Прозрачный порт закрыт", "A transparent port was closed", "Тунгалаг порт хаасан"),
  "networkServer.save": title(
    "Сетевой сервер LoRaWAN",
    "A LoRaWAN network server",
    "LoRaWAN сүлжээний сервер",
  ),
  "networkServer.delete": title(
    "Удаление сетевого сервера LoRaWAN",
    "Removing a LoRaWAN network server",
    "LoRaWAN сүлжээний сервер устгалт",
  ),
  "mqttMapping.save": title("Сопоставление MQTT", "An MQTT mapping", "MQTT харгалзуулалт"),
  "mqttMapping.delete": title(
    "Удаление сопоставления MQTT",
    "Removing an MQTT mapping",
    "MQTT харгалзуулалт устгалт",
  ),
  "mqttAccount.issue": title(
    "Новый пароль к брокеру MQTT",
    "A new password for the MQTT broker",
    "MQTT брокерын шинэ нууц үг",
  ),
};
