/**
 * How models say what they are about to do, language by language. All of it stands in regular expressions, without case;
 * what is not a letter ends a word where a language has spaces.
 */
export interface Language {
  /** No spaces between words. */
  readonly isDense?: boolean
  /** What may stand before the rest: `now`, `first`, `okay`. */
  readonly leads: string
  /** The speaker is about to do something: `I will`, `let me`. What is done comes after it. */
  readonly intents: string
  /** What may stand between that and the verb. Default: one word. */
  readonly between?: string
  /** The speaker says at once what is done now, or very soon: `ich lese`, `проверю`. A call only beside a thing, or amid work. */
  readonly forms: string
  /** Verbs that mean work with tools, and hardly ever the talk itself. */
  readonly acts: string
  /** What may also be meant of the talk itself: a call only beside a thing, or amid work. */
  readonly moves: string
  /** Things that tools work on. */
  readonly things: string
  /** The client is asked for patience. */
  readonly waits: string
  /** A call is described instead of made, `NAME` being a tool's: `you can use the read function`. Only with code behind it. */
  readonly describes?: string
  /** An offer, a condition, something for later or for others: nothing that comes now. */
  readonly offers: string
}

const english: Language = {
  describes: '(?:use|using|call|calling|invoke|run) (?:the )?[`"]?NAME[`"]? (?:function|tool|command)',
  leads:
    'ok(?:ay)?|sure|sure thing|great|good|alright|all right|right|certainly|of course|absolutely|got it|understood|perfect|thanks|now|next|then|first(?:ly|,? of all)?|second(?:ly)?|finally|so|and now|but first|also|here|to (?:begin|start)|as a (?:first|next) step|step \\d+',
  intents:
    "i(?:'ll| will| shall| should|'m(?: now| just)? going to| am(?: now| just)? going to|'m about to| am about to| need to| have to| must|'d like to| would like to| want to| plan to)|let me|let us|let's|allow me to|my next step is to|the next step is to|(?:the )?next step:",
  forms:
    "(?:reading|opening|checking|running|executing|searching|looking|listing|fetching|creating|writing|editing|updating|calling|using|installing|testing|retrieving)\\b.*(?:\\bnow\\b|\\.\\.\\.|…|:)$|i(?: am|'m)(?: now)? (?:reading|opening|checking|running|executing|searching|looking|listing|fetching|creating|writing|editing|updating|calling|using|installing|retrieving)",
  acts: 'read|open|check(?! my| in with| back)|inspect|examine|run(?! with| out| you)|re-?run|execute|search|grep|fetch|retrieve|download|install|scan|look (?:at|into|up|for|in|inside|through|around)|take a (?:closer )?look|have a (?:closer )?look|dig into|query|verify|explore|review|investigate|navigate|browse|view|get the (?:contents?|current|latest|list|details|status)',
  moves:
    'start|begin|proceed|list|create|edit|modify|update|delete|call|invoke|load|continue|go ahead|try|retry|do|see|find|use|write|add|fix|apply|change|replace|remove|move|rename|build|compile|test|save|make|implement|refactor|analy[sz]e|gather|get|set|correct|convert|send|compute|calculate|determine|work on|go through|put|perform|complete|finish',
  things:
    'files?|folders?|director(?:y|ies)|repo(?:sitory)?|codebase|source|project|tests?|test suite|command|script|tools?|function call|web|internet|database|logs?|config(?:uration)?|contents?|output|module|package|documentation|forecast|weather|calendar|inbox|e-?mails?|server|endpoint|branch|commit|todo|task',
  waits:
    'please wait|one moment|just a moment|one second|hold on|give me a (?:moment|second|minute)|bear with me|stand by|working on it',
  offers:
    "if (?:you|needed|necessary|so|that's|that is|that works|anything|it's ok|it is ok)|once (?:you|i have|i get|that)|when(?:ever)? you|as soon as|after you|until you|unless|let me know|feel free|would you|do you|should i|shall i|want me|just (?:say|ask|tell|let)|tomorrow|tonight|later (?:today|on|this)|next (?:time|week|month|year|session)|some ?day|one day|from now on|going forward|in (?:the )?future|by (?:monday|tuesday|wednesday|thursday|friday|the end|end of)|get back to you|keep you|update you|remind you|run you through|wait for (?:you|your)|in mind|look forward|happy to|glad to|with you|for you to|understand|your (?:answer|reply|response|permission|confirmation|approval|go-ahead)",
}

const german: Language = {
  describes: '(?:funktion|werkzeug|tool) [`"„]?NAME|[`"„]?NAME[`"“]?[- ](?:funktion|werkzeug|tool)',
  between: '[^,]{0,120}?',
  leads: 'ok(?:ay)?|gut|klar|gerne?|natürlich|alles klar|verstanden|in ordnung|sicher|dann|also|danke',
  intents:
    '(?:(?:nun|jetzt|zuerst|zunächst|als erstes|als nächstes|dann|dazu|dafür|anschließend|danach) )?(?:ich (?:werde|muss|möchte|will)|werde ich|muss ich|möchte ich|will ich|lass(?:en sie)? (?:mich|uns)|lasst uns)|schauen wir|sehen wir|schaue ich',
  forms:
    '(?:(?:nun|jetzt|zuerst|zunächst|als erstes|als nächstes|dann|dazu|dafür|anschließend|danach|erst einmal|mal) )?(?:ich )?(?:lese|öffne|prüfe|überprüfe|führe|starte|suche|durchsuche|liste|hole|lade|rufe|erstelle|schreibe|bearbeite|ändere|aktualisiere|lösche|schaue|sehe|untersuche|teste|verwende|benutze|frage|beginne|versuche)(?: ich)?',
  acts: 'lesen|auslesen|einlesen|öffnen|prüfen|überprüfen|nachsehen|nachschauen|ansehen|anschauen|ausführen|starten|suchen|durchsuchen|auflisten|abrufen|abfragen|herunterladen|installieren|erstellen|anlegen|bearbeiten|ändern|aktualisieren|löschen|aufrufen|untersuchen|verifizieren|(?:einen blick|mal) (?:in|auf)|uns .*\\ban',
  moves:
    'beginnen|anfangen|fortfahren|weitermachen|versuchen|tun|finden|verwenden|benutzen|nutzen|schreiben|hinzufügen|beheben|korrigieren|ersetzen|entfernen|testen|bauen|speichern|umsetzen|implementieren|analysieren|machen|holen|laden',
  things:
    'datei(?:en)?|ordner|verzeichnis(?:se)?|repository|projekt|tests?|befehl|skript|werkzeuge?|tools?|internet|web|datenbank|logs?|protokoll|konfiguration(?:sdatei)?|inhalt|ausgabe|code|quelltext|wetter(?:daten|bericht|vorhersage)?|dateisystem|kalender|aufgabe',
  waits: 'bitte warte[n]?|einen moment|moment bitte|einen augenblick|kleinen moment|ich melde mich gleich',
  offers:
    'wenn (?:du|sie|ihr|gewünscht|nötig)|falls|sobald|sag(?:en sie)? (?:mir |einfach |gern )*bescheid|gerne auch|möchtest du|möchten sie|soll ich|willst du|wollen sie|morgen|später|nächste[sn]? (?:mal|woche|monat|jahr|tag)|heute abend|künftig|in zukunft|von jetzt an|ab jetzt|bis (?:montag|dienstag|mittwoch|donnerstag|freitag)|melde mich|auf (?:deine|ihre)|freue mich|jederzeit|im hinterkopf',
}

const french: Language = {
  describes: '(?:utilise[rz]?|appele[rz]) (?:la |le |l\')?(?:fonction|outil|commande) [`"«]?\\s?NAME',
  leads:
    "ok|d'accord|bien sûr|très bien|bien|parfait|entendu|compris|certainement|maintenant|tout d'abord|d'abord|ensuite|puis|enfin|alors|pour commencer|merci",
  intents:
    "je (?:vais|dois|veux|voudrais|souhaite|m'apprête à)(?: maintenant| d'abord| donc)?|laissez?[- ](?:moi|nous)|permettez-moi de|il (?:me )?faut que je|commençons par|je commence par|la prochaine étape (?:est|consiste)",
  forms:
    'je (?:lis|ouvre|vérifie|consulte|regarde|exécute|lance|cherche|recherche|liste|récupère|télécharge|crée|écris|modifie|mets|supprime|appelle|examine|teste|utilise|commence|continue|lirai|ouvrirai|vérifierai|lancerai|exécuterai|chercherai|consulterai|créerai|modifierai)|(?:lecture|vérification|exécution|ouverture|recherche|création) (?:de|du|des|en cours)',
  acts: "lire|relire|ouvrir|vérifier|consulter|regarder|inspecter|examiner|exécuter|lancer|rechercher|chercher|lister|récupérer|télécharger|installer|créer|modifier|éditer|mettre à jour|supprimer|appeler|interroger|parcourir|jeter un (?:coup d')?[oœ](?:e)?il|explorer|afficher",
  moves:
    'commencer|continuer|poursuivre|essayer|réessayer|faire|voir|trouver|utiliser|écrire|ajouter|corriger|appliquer|remplacer|renommer|tester|compiler|enregistrer|implémenter|analyser|procéder|obtenir',
  things:
    'fichiers?|dossiers?|répertoires?|dépôt|projet|tests?|commande|script|outils?|internet|web|base de données|journaux|logs?|configuration|contenu|sortie|code|météo|calendrier|tâche',
  waits: 'veuillez patienter|patientez|un instant|un moment|une seconde',
  offers:
    "si (?:vous|tu|besoin|nécessaire)|s'il (?:vous|te)|dès que|lorsque (?:vous|tu)|quand (?:vous|tu)|une fois que (?:vous|tu)|n'hésite[zs]?|dites-moi|dis-moi|faites-moi savoir|fais-moi savoir|voulez-vous|veux-tu|souhaitez-vous|souhaites-tu|demain|plus tard|ce soir|prochaine fois|à l'avenir|désormais|dorénavant|d'ici|je reviens vers|votre (?:réponse|accord|confirmation)|ta réponse|à (?:votre|ta) disposition",
}

const spanish: Language = {
  describes: '(?:usar|utilizar|llamar|usa|utiliza|use) (?:a )?(?:la |el )?(?:función|herramienta|comando) [`"]?NAME',
  leads:
    'ok|vale|claro|por supuesto|de acuerdo|entendido|perfecto|bien|muy bien|ahora|primero|a continuación|luego|después|entonces|en primer lugar|para empezar|gracias',
  intents:
    '(?:yo )?(?:voy a|necesito|debo|tengo que|quiero|procederé a|procedo a|empezaré por|comenzaré por)|déja(?:me|nos)|déje(?:me|nos)|permíte(?:me|nos)|permíta(?:me|nos)|vamos a|el siguiente paso es',
  forms:
    '(?:leo|abro|reviso|verifico|compruebo|consulto|ejecuto|busco|listo|obtengo|descargo|creo|escribo|modifico|actualizo|elimino|llamo|examino|uso|empiezo|continúo|leeré|abriré|revisaré|verificaré|comprobaré|consultaré|ejecutaré|buscaré|crearé|modificaré|actualizaré|usaré|procederé)|(?:leyendo|abriendo|revisando|verificando|ejecutando|buscando|consultando|creando)',
  acts: 'leer(?:lo|la)?|abrir(?:lo|la)?|revisar(?:lo|la)?|verificar(?:lo|la)?|comprobar(?:lo|la)?|consultar(?:lo|la)?|inspeccionar|examinar(?:lo|la)?|ejecutar(?:lo|la)?|buscar(?:lo|la)?|listar|obtener|recuperar|descargar|instalar|crear(?:lo|la)?|editar(?:lo|la)?|modificar(?:lo|la)?|actualizar(?:lo|la)?|eliminar|borrar|llamar|invocar|explorar|echar un vistazo|mirar',
  moves:
    'empezar|comenzar|continuar|seguir|proceder|intentar|probar|hacer|ver|encontrar|usar|utilizar|escribir|añadir|agregar|corregir|aplicar|cambiar|reemplazar|compilar|guardar|implementar|analizar|arreglar',
  things:
    'archivos?|ficheros?|carpetas?|directorios?|repositorio|proyecto|pruebas?|tests?|comando|script|herramientas?|internet|web|base de datos|registros?|logs?|configuración|contenido|salida|código|clima|tiempo|calendario|tarea',
  waits: 'por favor,? esper[ae]|espera un|espere un|un momento|un segundo',
  offers:
    'si (?:quieres|quiere|lo deseas|desea|gustas|necesitas|necesita|prefieres|me|es necesario|tienes)|cuando (?:me|quieras|quiera|lo|estés)|en cuanto|una vez que|avísame|dime|hazme saber|házmelo saber|no dudes|te gustaría|quieres que|desea que|mañana|más tarde|esta noche|la próxima|en el futuro|de ahora en adelante|tu (?:respuesta|confirmación)|su (?:respuesta|confirmación)|a tu disposición',
}

const portuguese: Language = {
  describes: '(?:usar|utilizar|chamar|use|utilize) (?:a |o )?(?:função|ferramenta|comando) [`"]?NAME',
  leads:
    'ok|certo|claro|com certeza|entendido|perfeito|bem|muito bem|agora|primeiro|em seguida|depois|então|para começar|obrigado',
  intents:
    '(?:eu )?(?:vou|preciso|devo|tenho (?:que|de)|quero|irei|começarei por)|deixe?[- ]me|deixa eu|permita-me|vamos|o próximo passo é',
  forms:
    '(?:leio|abro|verifico|consulto|executo|procuro|busco|listo|obtenho|baixo|crio|escrevo|modifico|atualizo|chamo|examino|uso|começo|continuo|lerei|abrirei|verificarei|consultarei|executarei|procurarei|buscarei|criarei|modificarei|atualizarei|usarei)|(?:lendo|abrindo|verificando|executando|procurando|buscando|consultando|criando)',
  acts: 'ler|abrir|verificar|checar|conferir|consultar|inspecionar|examinar|executar|rodar|procurar|buscar|pesquisar|listar|obter|baixar|instalar|criar|editar|modificar|alterar|atualizar|excluir|apagar|chamar|invocar|explorar|dar uma olhada|olhar|acessar',
  moves:
    'começar|iniciar|continuar|prosseguir|tentar|fazer|ver|encontrar|usar|utilizar|escrever|adicionar|corrigir|aplicar|mudar|substituir|testar|compilar|salvar|implementar|analisar',
  things:
    'arquivos?|ficheiros?|pastas?|diretórios?|repositório|projeto|testes?|comando|script|ferramentas?|internet|web|banco de dados|registros?|logs?|configuração|conteúdo|saída|código|clima|tempo|calendário|tarefa',
  waits: 'por favor,? aguarde|aguarde|um momento|um instante|só um momento',
  offers:
    'se (?:você|quiser|desejar|precisar|preferir|necessário|me)|quando (?:você|quiser|me)|assim que|depois que você|me avise|avise-me|me diga|diga-me|fique à vontade|gostaria|quer que|deseja que|amanhã|mais tarde|hoje à noite|próxima vez|no futuro|de agora em diante|sua (?:resposta|confirmação)|à disposição',
}

const italian: Language = {
  leads:
    "ok|certo|certamente|va bene|d'accordo|capito|perfetto|bene|ora|adesso|prima|innanzitutto|per prima cosa|poi|quindi|allora|grazie",
  intents:
    '(?:ora |adesso )?(?:devo|voglio|vorrei|sto per|procedo a|procederò a|inizio a|inizierò a)|lasciami|lasciatemi|mi lasci|permettimi di|il prossimo passo è|andiamo a|vado a',
  forms:
    '(?:leggo|apro|controllo|verifico|consulto|eseguo|lancio|cerco|elenco|recupero|scarico|creo|scrivo|modifico|aggiorno|elimino|chiamo|esamino|uso|inizio|continuo|leggerò|aprirò|controllerò|verificherò|consulterò|eseguirò|cercherò|creerò|modificherò|aggiornerò|userò|procederò)|(?:leggendo|aprendo|controllando|verificando|eseguendo|cercando)',
  acts: "leggere|aprire|controllare|verificare|consultare|ispezionare|esaminare|eseguire|lanciare|cercare|elencare|recuperare|ottenere|scaricare|installare|creare|modificare|aggiornare|eliminare|cancellare|chiamare|esplorare|dare un'occhiata|guardare",
  moves:
    'iniziare|cominciare|continuare|procedere|provare|fare|vedere|trovare|usare|utilizzare|scrivere|aggiungere|correggere|applicare|cambiare|sostituire|testare|salvare|implementare|analizzare',
  things:
    'file|cartell[ae]|directory|repository|progetto|test|comando|script|strument[oi]|internet|web|database|log|configurazione|contenuto|output|codice|meteo|calendario|attività',
  waits: 'attendere|attendi|un momento|un attimo|un istante|un secondo',
  offers:
    'se (?:vuoi|vuole|desideri|desidera|ti|hai|necessario|preferisci|serve)|quando (?:vuoi|mi|sei)|non appena|una volta che|fammi sapere|fatemi sapere|mi faccia sapere|dimmi|vuoi che|desideri|domani|più tardi|stasera|prossima volta|in futuro|da ora in poi|d’ora in poi|tua (?:risposta|conferma)|a disposizione',
}

const russian: Language = {
  leads:
    'хорошо|конечно|понятно|понял|поняла|ладно|отлично|так|итак|да|ок|сначала|сперва|теперь|сейчас|затем|далее|для начала|спасибо|прежде всего',
  intents:
    '(?:я )?(?:сейчас |теперь |сначала )?(?:буду|собираюсь|должен|должна|хочу)|мне (?:нужно|надо|необходимо|потребуется)|давайте|давай|позвольте(?: мне)?|следующий шаг',
  forms:
    '(?:я )?(?:сейчас |теперь |сначала |затем )?(?:прочитаю|прочту|почитаю|проверю|посмотрю|просмотрю|открою|запущу|выполню|найду|поищу|создам|изменю|обновлю|удалю|получу|вызову|изучу|загляну|исправлю|добавлю|напишу|запишу|начну|продолжу|приступлю|попробую|узнаю|воспользуюсь|использую|читаю|проверяю|запускаю|открываю|выполняю|ищу|смотрю)',
  acts: 'прочита(?:ть|ем)|почита(?:ть|ем)|провер(?:ить|им|ять)|посмотр(?:еть|им)|открыть|откроем|запустить|запустим|выполнить|выполним|найти|найд[её]м|поискать|поищем|созда(?:ть|дим)|изменить|изменим|обновить|обновим|удалить|получить|вызвать|изучить|просмотреть|загрузить|скачать|установить|читать|проверять|искать|запускать',
  moves:
    'начать|начн[её]м|продолжить|продолжим|приступить|приступим|попробовать|попробуем|сделать|сделаем|исправить|исправим|добавить|добавим|написать|напишем|использовать|применить|заменить|сохранить',
  things:
    'файл(?:а|е|ы|ов|у)?|папк[аеуи]|каталог(?:а|е)?|директори[юяи]|репозитори[йяю]|проект(?:а|е)?|тест(?:ы|ов)?|команд[ауы]|скрипт(?:а)?|инструмент(?:а|ом)?|интернет(?:е)?|баз[ауе] данных|лог(?:и|ов)?|конфигураци[юяи]|содержимо(?:е|го)|вывод|код(?:а|е)?|погод[ауы]|календар[ья]|задач[ау]',
  waits: 'подождите|минутку|одну минуту|секунду|один момент',
  offers:
    'если|хотите|хочешь|могу|можете|можешь|скажите|скажи мне|сообщите|дайте знать|дай знать|как только|когда (?:вы|ты)|завтра|позже|потом|в следующий раз|в будущем|впредь|ваш(?:его|ему)? ответ|к вашим услугам',
}

const chinese: Language = {
  isDense: true,
  describes: '(?:使用|调用)\\s?[`"“]?NAME[`"”]?\\s?(?:函数|工具|命令)',
  between: '(?:(?!解释|说明|介绍|告诉|讲|教|总结|回答|如何|怎么|建议)[^，。；]){0,14}?',
  leads: '好的?|当然|明白了?|没问题|可以|了解|首先|接下来|现在|然后|那么|下一步|谢谢|嗯|先',
  intents:
    '(?:我|我们|让我|让我们|我来|由我)(?:现在|这就|接下来|马上|首先|先|再|将|会|要|来|去|需要|得|想|准备|打算|开始)*|(?:现在|接下来|首先|下一步|马上)(?:我|将|会|要|来|先|需要)+|为了[^，。]{1,40}，(?:我|需要)(?:需要|要|将|会|先|来)*',
  forms: '正在',
  acts: '读取|读一下|查看|检查|检索|打开|运行|执行|搜索|查找|查询|列出|获取|创建|新建|修改|编辑|更新|删除|调用|下载|安装|浏览|看一下|看看|看一看|查一下|查一查',
  moves: '写|使用|修复|添加|分析|开始|继续|处理|试|测试|验证|确认|找|替换|保存|实现|读|进行|完成',
  things:
    '文件|目录|文件夹|仓库|项目|测试|命令|脚本|工具|网络|网页|互联网|数据库|日志|配置|内容|输出|代码|天气|日历|任务|函数',
  waits: '请稍等|请稍候|稍等|请等待|等一下|请等一下',
  offers:
    '如果|若|要是|需要我|要我|您可以|你可以|我可以|可以帮|请(?:告诉|提供|发|分享|问|随时|把)|随时|吗|是否|的话|下次|以后|今后|明天|稍后再|之后再|您(?:需要|想|希望)|你(?:需要|想|希望)|一旦|请您|好吗|怎么样|理解|回复您|回复你|答复',
}

const japanese: Language = {
  isDense: true,
  between: '(?:(?!説明|紹介|お伝え)[^。]){0,60}?',
  leads:
    'はい|わかりました|分かりました|承知しました|承知いたしました|了解です|了解しました|かしこまりました|もちろんです?',
  intents:
    '(?:まず|では|それでは|これから|今から|最初に|はじめに|続いて|次に|早速|さっそく|ただいま|私が|私は|先に)(?:は|、)?',
  forms:
    '.{0,60}(?:読み込|読み取|読ん|読み|確認|実行|検索|取得|調査|調べ|開い|開き|チェック|呼び出|ダウンロード|インストール|参照|作成|編集|更新|修正|削除|見)(?:し|り|ん|み|い|き|てい|で|て|の)*(?:してみ|でみ|てみ|てい(?:き|く)|でい(?:き|く)|ましょう|みましょう|ますね)',
  acts: '(?:読み込|読み取|読み|確認|実行|検索|取得|調査|調べ|開き|チェック|呼び出|ダウンロード|インストール|参照|作成|編集|更新|修正|削除|見て)[^。]{0,12}(?:ます|ましょう|たいと思います)',
  moves:
    '(?:開始|始め|続け|試し|使用|使い|書き|追加|分析|探し|進め|変更|実装|テスト)[^。]{0,12}(?:ます|ましょう|たいと思います)',
  things:
    'ファイル|フォルダ|ディレクトリ|リポジトリ|プロジェクト|テスト|コマンド|スクリプト|ツール|ウェブ|インターネット|データベース|ログ|設定|内容|出力|コード|天気|カレンダー|タスク|関数',
  waits: 'お待ちください|少々お待ち|しばらくお待ち',
  offers:
    'ましたら|場合|(?<!お待ち)ください|でしょうか|ますか|ませんか|必要であれば|必要なら|よろしければ|もし|いつでも|次回|今後|明日|後ほど|あとで|教えて|できます|いただければ|たら|なら',
}

const korean: Language = {
  isDense: true,
  between: '',
  leads: '네|예|알겠습니다|물론입니다|물론이죠|좋습니다|좋아요|먼저|우선|이제|지금|다음으로|그럼|그러면|감사합니다',
  intents:
    '.{0,60}(?=(?:읽|확인|실행|검색|조회|열|찾|생성|만들|수정|살펴|작성|호출|가져|업데이트|삭제|설치|다운로드|점검|조사|편집))',
  forms: '.{0,60}(?:시작|진행|계속|시도|사용|분석|추가|처리|테스트)\\S{0,4}(?: ?보)?(?:겠습니다|할게요|볼게요)',
  acts: '(?:읽|확인|실행|검색|조회|열|찾|생성|만들|수정|살펴|작성|호출|가져|업데이트|삭제|설치|다운로드|점검|조사|편집)\\S{0,5}(?: ?(?:보|오|드리|놓))?(?:겠습니다|겠어요|[할볼올을]?게요)',
  moves: '(?!)',
  things:
    '파일\\S*|폴더\\S*|디렉터리\\S*|디렉토리\\S*|저장소\\S*|프로젝트\\S*|테스트\\S*|명령\\S*|스크립트\\S*|도구\\S*|데이터베이스\\S*|로그\\S*|설정\\S*|내용\\S*|코드\\S*|날씨\\S*|작업\\S*',
  waits: '잠시만 기다려|잠시 기다려|기다려 ?주세요|잠시만요',
  offers: '원하시면|원하신다면|필요하시면|필요하면|알려 ?주|말씀해|까요|주시면|하시면|내일|나중에|다음에|앞으로|언제든',
}

export const languages: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  russian,
  chinese,
  japanese,
  korean,
]
