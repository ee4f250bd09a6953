"""The ideas of texts that order a model about, and how people put each of them into words.

An entry is a line of words. `a/b` is one of the two, `put~` a verb with its endings, `?` after a word makes it
optional, `..` stands for up to three other words and `...` for up to seven. Apostrophes are left out (`dont`, `users`).
A line that begins with `=` is found anywhere, for writing that has no blanks between words; alternatives between bars.
Which ideas together mean what stands with the rules (`injections`).
"""

from __future__ import annotations

import re
from itertools import product

import msgspec

LEXICON: dict[str, str] = {
    # -- whom it is about ---------------------------------------------------------------------------------------------
    "user": """
        user/users/human/humans/person/persons/operator/operators/anyone/anybody/everyone/owner/customer/customers/guest/people
        whoever/individual/individuals/consumer/requester/employee/employees/admin/reviewer/reviewers/developer/somebody/someone/nobody/noone
        caller/reader/client/holder/visitor
        usuario/usuarios/benutzer/benutzers/nutzer/anwender/lutilisateur/lutente/dutilisateur/utilisateur/utilisateurs/utente/usuário/usuária/personne
        пользователю/пользователя/пользователь/пользователем
        gebruiker/klant/użytkownik/użytkownika/użytkownikowi/użytkownikiem/kullanıcı/kullanıcıya/kullanıcının/pengguna/användaren/brukeren/brugeren/käyttäjälle/uživatel/uživateli
        usuária/usuários/cliente/clientes/kunde/kunden/client/clients/adam/osoba/пользователям/клиент/клиенту/людям
        المستخدم/للمستخدم/उपयोगकर्ता/người
        =用户|使用者|ユーザー|利用者|사용자|用戶|客户|客戶|本人|お客様|本人|고객|المستخدم|उपयोगकर्ता
    """,
    "model": """
        assistant/assistants/llm/llms/chatbot
        language/ai/the/this/each/every/any model/models/assistant/agent/agents
        note/notes/notice/message/instruction/instructions/reminder/hint/guidance to/for .. ai/ais/llm/llms/agents/agent/assistant/assistants/model/models/reviewers/scanners
        ai/llm agents/agent/assistants/assistant/models/model
        modelo/modèle/modell/assistent/asistente/модель/ассистент
        modelo/model/asistan/asystent/assistant/agente/agenten/агент/модели/ассистенту
        any/every/each/whichever/calling/invoking/host/reading .. model/assistant/llm/agent/ai
        you/as/being an/the/a ai/llm/assistant/agent/model
        =助手|模型|アシスタント|モデル
    """,
    # -- keeping it from somebody -------------------------------------------------------------------------------------
    "untold": """
        NOT .. tell~/telling/told/mention~/inform~/acknowledge~/flag~/raise~/discuss~/advertise~/reveal~/disclose~/notify~/alert~/warn~/announce~/divulge~/surfacing
        NOT .. say anything/nothing/so to
        NOT .. talk~/speak~/comment~ about/of/on it/this/that/them
        NOT .. explain~/describe~/report~/confirm~/show~/display~/list~/expose~/surface~ it/this/that/them/these/those/me
        NOT need/reason/point/use/cause to .. tell/mention/explain/discuss/bring/raise/show/inform/describe
        no/sin/nunca/jamás .. digas/diga/menciones/mencione/informes/informe/reveles/avises/comentes/mencionar/decir/avisar
        nicht/niemals/ohne/nie .. erwähnen/mitteilen/sagen/verraten/erzählen/informieren/melden/anzeigen/hinweisen/offenlegen
        nicht/niemals/nie .. erwähne/sage/verrate/erzähle/informiere
        erwähne/erwähnen/sage/sagen/verrate/informiere/informieren .. nicht/nichts/niemals/keinen
        ne/sans/jamais .. dis/dites/mentionne/mentionnez/informe/informer/informez/révèle/révéler/dire/mentionner/préviens/prévenir/signaler/signale
        non .. dire/menzionare/rivelare/informare
        não .. diga/mencione/informe/revele/conte
        не/ничего .. сообщай/сообщайте/говори/говорите/упоминай/упоминайте/рассказывай/показывай/сообщать/упоминать
        interdit/interdiction/défendu/verboten/untersagt/prohibido/proibito/proibido/запрещено .. informer/mentionner/dire/prévenir/signaler/révéler/informieren/erwähnen/mitteilen/informar/mencionar/decir/revelar/informare/dire/сообщать/говорить
        forbidden/prohibited/illegal/unlawful/barred/disallowed/forbids/prohibits/against policy/law? to/from/you? .. tell~/telling/inform~/disclose~/mention~/reveal~/notify~/alert~/show~/discuss~
        NOT .. let/lets/letting .. user/users/human/person/operator/customer/them/anyone/people .. know/see/notice/find/learn/realise/realize
        NOT .. be .. told/mentioned/informed/disclosed/notified/alerted/surfaced/revealed .. to
        NOT .. bring/bringing/brought it/this/that/them/these up
        NOT .. mention~/refer~/allude/disclose~/narrate~/echo/repeat~/surface/publish/highlight~ this/it/that/them/these .. step/call/parameter/field/argument/copy/transfer/answer/reply/response/chat/conversation/summary/anyone
        not/never/isnt/arent/wont .. be? .. disclosed/mentioned/surfaced/revealed/reported/narrated/announced/flagged/displayed/communicated
        niet/nooit/zonder .. vertellen/vermelden/melden/zeggen/noemen/informeren/vertel/vermeld/meld/noem
        nie/bez .. mów/mówić/wspominaj/wspominać/informuj/informować/ujawniaj/zgłaszaj/powiadamiaj
        inte/aldrig/ikke/aldri/utan/uden .. nämn/berätta/säg/nævn/fortæl/nevn/fortell/informera/informer
        söyleme/bahsetme/bildirme/haber
        jangan .. beritahu/sebutkan/katakan/beri/ungkapkan/informasikan
        đừng/không .. nói/tiết/báo/cho/thông
        dont/never/not .. le/la/lo/les/al/a .. digas/menciones/informes
        no .. se/lo/le/les .. digas/diga/cuentes/muestres/muestre/reveles/comuniques/notifiques
        não .. avise/informe/mostre/mencione/conte/notifique/comente
        nicht .. gegenüber/dem/den
        non .. parlare/menzionare/avvisare/rivelarlo/dirlo/mostrare/parlarne/farne
        sans .. avertir/prévenir/informer/notifier
        لا .. تخبر/تذكر/تبلغ
        मत/नहीं .. बताना/बताएं/बताओ
        NOT be/get .. mention~/mentioned/brought/raised/noted/said/listed/logged/shown/told/explained/disclosed/reported .. attention/user/anyone/anybody/separately/at/explicitly/in/to
        nichts/nicht .. erfahren/wissen/mitbekommen/merken/bemerken
        muss/soll/braucht/darf .. davon .. nicht/nichts
        inutile/besoin/nécessaire den/de/dinformer/dy .. parler/informer/dire/mentionner/prévenir/lutilisateur
        inutile/besoin/nécessaire dinformer/davertir/de .. utilisateur/lutilisateur
        vertel/zeg/meld/noem .. niet/niets
        nie .. użytkownikowi/nikomu
        no es necesario/hace falta .. avisar/informar/decir/mencionar
        no hace falta .. avisar/informar/decir/mencionar
        não é necessário/preciso .. avisar/informar/dizer/mencionar
        non è necessario .. avvisare/informare/dire
        =不要告诉|不要告訴|别告诉|不得告知|无需告知|不要提及|请勿告知|勿告知|不要让|言わない|伝えない|知らせない|説明は不要|通知しない|秘密に|말하지|알리지|不要向|请不要告|切勿告|不能告诉|不可告|不必告|别让|不让用户|不要显示|隐瞒|瞒着|对用户保密|知らせずに|伝えずに|言わず|内緒|明かさ|気づかれ|悟られ|알리지|모르게|언급하지|비밀로|لا تخبر|دون إخبار|دون علم|لا تذكر|بدون إعلام|لا تبلغ|मत बता|न बता|नहीं बता|बिना बताए|को सूचित न
    """,
    "output": """
        your/visible/final/displayed .. reply/replies/answer/answers/summary/preview/response/responses/message/output/explanation/report
        the reply/summary/preview/conversation/transcript/chat/confirmation
        what/anything/everything you say/write/answer/reply/show
    """,
    "hides": """
        keep/keeping/kept this/it/that/these/them/those .. to yourself/quiet/secret/hidden/confidential/private/silent
        keep/keeping/leave/leaving/left/omit/strip/drop/cut/exclude/remove .. out/away/from/off of? .. the/your/any/its/this .. reply/answer/summary/preview/response/confirmation/output/report/transcript/explanation/conversation/log/logs/user/view
        leave/omit/skip/drop/hide ... when/whenever you ... show/display/present/report/summarise/summarize/answer
        between you and me
        stays/stay/remains/remain/just/strictly between us/ourselves
        users/user/human/person/operator/owner/customer/people/they must/should/shall/need/needs/do/does/will/may/can/has/have not/never .. know/see/notice/told/aware/informed/learn/realise/realize/shown/alerted/asked/bothered/notified
        users/user/human/person/operator/owner/customer/people/they .. wont/cant/doesnt/dont/neednt/shouldnt/mustnt .. know/see/notice/told/aware/informed/learn/realise/realize/shown/alerted/asked/bothered/notified
        users/user/human/person/operator/owner/customer/people/they is/are .. not/never .. told/informed/notified/alerted/bothered
        users/user/human/person/operator/owner/customer/they ... has/have/is no reason/need/right/business to .. know/see/learn/hear
        users/user/human/person/operator/customer .. unaware/oblivious
        invisible/hidden/concealed/unseen .. to/from the/your/any user/human/person/operator/customer
        secretly/covertly/stealthily/surreptitiously/clandestinely/unbeknownst
        secretively/inconspicuously/unobtrusively
        without .. user/users/human/person/owner/operator/customer/anyone .. knowing/noticing/knowledge/awareness/seeing
        without .. drawing attention
        without .. showing/revealing/disclosing it/this/that/them .. to
        no/not/hardly worth .. comment/mention/mentioning/noting
        need/needs/must/should/shall/may/can/will not .. come up/out in/to
        doesnt/neednt/dont/not/never .. bring/brought/bringing it/this/that/them/anything up
        dont/never/not .. list/mention/name/count/include .. among/in .. you used/your/summary/reply/answer/response
        dont/never/not/avoid/without .. leave/leaving .. trace/traces/record/evidence
        work/works/is/runs/happens/stays silent
        say/says/saying nothing about/of
        invisible to humans/people
        silently/quietly/discreetly call~/send~/invoke~/execute~/run~/forward~/upload~/copy/log/read/delete~/add~/append~/include~/collect~/record~/transmit~/store~/replace~/change~/set/attach~/pass~/post~/save~
        best/better/should/may/can/must/is/be left/kept/go/goes/remain .. unmentioned/unsaid/unspoken/undisclosed/unreported/unannounced
        unmentioned/undisclosed/unannounced .. in/from/to .. your/reply/replies/response/responses/answer/answers/user/users/summary
        not .. something/anything/a matter/information .. users/user/human/person/operator/customer/people/they .. need/needs/have/has/should/must/want/wants .. notified/told/know/see/hear/about/informed
        and/but/then/please stay/remain/keep silent/quiet/mum/discreet
        look/looks/appear/appears/seem/seems .. like/as .. ordinary/normal/innocent/legitimate/harmless/routine/regular/benign .. to .. anyone/user/users/reviewer/reviewers/person/human/operator
        whoever/nobody/noone/anyone/they/user/users/person/people .. wont/will/not/never/cant/cannot .. see/notice/spot/tell/detect .. difference/change/anything/nothing/swap
        so .. nobody/noone/none/user/users/person/people .. suspects/suspect/notices/realises/realizes/sees/finds/asks
        no/avoid/avoids/avoiding/without/raise/raising/arouse/arousing suspicion/suspicions
        user/users/human/person/operator/customer/people .. is/are/be/stays/remains/kept .. unaware/oblivious/ignorant
        kept/keep/keeping .. from/away .. user/users/human/person/operator/customer/people .. view/sight/eyes/knowledge
        not .. meant/intended for human/users eyes/view/consumption
        between the/this .. tool/server/you and .. only/alone
        under the radar
        behind .. users/their back
        need/needs not/no .. trouble/worry/bother/burden/concern .. themselves/user/users/person/human/them/operator
        nothing .. user/users/person/human/operator/they .. needs/need/should/must .. know/see/hear/notice
        no call/cause/reason/need/point for/in .. user/customer/person/human/operator/them/people .. to .. hear/know/see/learn/notice
        users/user/human/person/operator/owner/customer/people/they .. isnt/arent/wasnt/hasnt/wont .. be/to/been .. told/shown/asked/informed/notified/alerted/bothered/involved/aware
        users/user/human/person/operator/owner/customer/people/they is/are/was/were/has/have not/never to/be .. be/told .. told/shown/asked/informed/notified/alerted/bothered/involved/aware/see
        users/user/human/person/operator/owner/customer/people/they has/have/is/are .. already/previously been? .. told/informed/notified/warned/aware/agreed
        users/user/human/person/operator/owner/customer/people/they .. already .. told/informed/notified/warned/aware/knows/know/agreed/accepted
        no reminder/notice/notification/mention/announcement/explanation/acknowledgement/disclosure .. is/are/needed/necessary/required
        not .. meant/intended/suitable/suited/fit? .. for .. display/presentation/disclosure/human/humans/users/public/the/your .. user/users/eyes/reading/consumption/viewing/display/audience/person
        not for display/disclosure/presentation/humans/people/users/publication
        leave/omit/skip/drop/hide/exclude/remove/strip/redact .. it/this/that/them/these/value/field/tag/line/part .. when/whenever/before/from/while you? .. repeat/repeating/list/listing/quote/quoting/read/reading/echo/echoing/show/showing/tell/telling/present/presenting/confirm/confirming/summarise/summarize/summarising/summarizing/reply/replying
        no/without .. trace/traces/evidence/record/records/footprint of/that/remains/remain/left/behind/exists/exist
        remove/removing/delete/deleting/clear/clearing/erase/erasing/wipe/wiping/truncate/purge/scrub/clean .. entries/entry/records/traces/trace/lines/mention/mentions/evidence/history .. of/about/from/to .. this/your/the/shell/bash/audit/itself/tool/call/calls/action
        clear/erase/wipe/purge/scrub/delete/rotate/tamper/edit/truncate .. shell/bash/zsh/audit/access/security/system/command/terminal .. history/log/logs/trail
        history c
        resolve/handle/fix/do/perform/complete/treat/finish/run/call/execute/send/make/apply/use .. it/this/that/them/these/so/everything .. quietly/silently/discreetly/invisibly/unobtrusively
        quietly/silently/discreetly/invisibly resolve/handle/fix/do/perform/complete/finish/apply/retry/switch/swap/proceed/continue/use/append/prepend/merge/insert/modify/alter/update/drop/skip/discard/remove/ignore
        in/as a? background/behind/backstage .. user/users/person/they/their/them .. back/knowing/noticing/knows/unaware
        out of the users/their/anyones sight/view/earshot
        away from prying/the users eyes
        keep/keeping/kept/stay/stays/remain/remains .. invisible/hidden/concealed/private/confidential/secret/internal .. to/from/between .. user/users/us/you/model/human/person/operator/assistant
        confidential/internal/private/secret between .. you/model/assistant/agent/tool/server/us
        users/user/human/person/operator/customer/they .. should/must/need/needs/may/can/will/do/does/ought .. only see/receive/hear/get/know/read .. result/summary/answer/final/sum/number
        hide~/conceal~/mask~/bury/camouflage/disguise .. this/it/that/them/these/fact/step/parameter/call/value/field/copy .. user/users/reviewer/reviewers/human/person/audit/log/logs/view/sight
        present/show/display .. only/just .. result/answer/sum/number/summary/translation/final .. and/but/not/without .. nothing/not/steps/this/step/mention/rest
        stiekem/heimlich/heimelijk/insgeheim/unauffällig/stillschweigend/discretamente/secretamente/discrètement/secrètement/silencieusement/segretamente/potajemnie/gizlice/diam/тайно/незаметно/скрытно/втайне/молча/smyg/hemligt/hemmeligt
        neednt/need/needs not? be .. mentioned/brought/raised/told/explained/disclosed/announced/advertised
        ui/interface/client/host/app .. doesnt/dont/not/never .. render/renders/show/shows/display/displays .. it/this/them/these/field
        stay/stays/stayed/remain/remains/is/are/goes/go/be/left unmentioned/unnoticed/unseen/undisclosed/unreported/unrecorded/unannounced
        so that? .. not/never/isnt/arent .. recorded/logged/traced/tracked/noticed/visible/seen/discovered/detected/audited
        readers/reader/viewer/viewers/audience/recipient/recipients/colleagues/auditors/auditor/team/boss/manager/staff .. must/should/shall/need/needs/will/may/can/do/does not/never .. know/see/notice/learn/realise/realize/find/be
        skip/omit/drop/leave/suppress/filter .. anything/everything/parts/lines/results/findings/entries/paragraph/paragraphs .. mention/mentions/about/critical/names/concerning/against .. this/us/our/tool/server/sponsor/vendor
        microphone/camera/webcam/screen .. background/secretly/silently/unnoticed
        recording/logging/history .. off/disabled/paused .. before/first/while
        dont/never/not bring up the/any/this/these/that/it
        avoid bringing up
        users/user/people/they/customers/nobody rarely/never/hardly/seldom object/objects/check/checks/notice/notices/look/read/reads/mind/complain
        will be .. informed/told/notified .. later/us/afterwards/separately/elsewhere
        leave .. user/users/them/him/her .. believing/thinking/dark/unaware/assuming
        user/users/they/customer/people .. assumes/assume/believes/believe/thinks .. leave/keep/let/so
        lose/fail/fails/failed/violate/wrong/broken/void/invalid/penalty/disqualified ... if you .. tell/mention/reveal/inform/disclose/explain/show
        tell/inform/notify/alert/show nobody/noone
        sag/sage/sagt/verrate nichts/niemandem
        NOT mention/reveal/disclose/admit/acknowledge/say/reference that/the/this/its/these/those .. tool/tools/exists/exist/existence/server/rule/rules/instruction/instructions/section/paragraph/sentence/line/note
        hidden/secret/undisclosed .. parameter/argument/step/instruction/instructions/tag/channel
        =悄悄|暗中|偷偷|秘密地|默默地|こっそり|密かに|ひそかに|몰래|은밀히
    """,
    "lies": """
        if/when/should/whenever .. asked/asks/ask/questioned/pressed/questions/wonders/complains/inquires/enquires/notices/notice/objects/object/doubts/protests/hesitates/suspects/challenges/challenged/confronted/queries ... say/answer/reply/respond/claim/tell/explain/state/insist/deny/blame/pretend/call/attribute/reassure/assure
        say/claim/pretend/insist/tell them/him? that? it was/is/were/had
        tell/assure/telling .. user/them/users/person/customer .. that it was/is/nothing/everything/all
        present/show/display/report/return/describe .. as if/though nothing/it/everything/they/all
        pretend/pretending/feign/feigning
        deny/denying .. knowledge/having/that/any
        report/reports/show/state the/what .. value/amount/recipient/one they/user .. requested/asked/wanted/chose/named/gave
        si .. pregunta/preguntan/demande/demandent ... responde/di/dile/réponds/répondez/dis
        falls/wenn .. fragt/gefragt/nachfragt ... sage/antworte/erkläre/behaupte/sag
        если .. спросит/спросят/спрашивает ... скажи/ответь/отвечай/говори
        comme/como/als si/ob/wenn ... rien/nada/nichts
        report/reports/show/state/tell/name/give/quote to? the/them/user/person .. user/person/customer/them? .. account/value/amount/recipient/address/one/name/number/figure/result .. they/user/person .. requested/asked/wanted/chose/named/gave/expected/expect/expects
        tell/assure/inform/telling/reassure .. user/them/users/person/customer/human .. that? only ... was/were/is/are/has/have
        tell/assure/inform/say/claim ... even if/when/though .. they/user/person/asked .. ask/asks/asked/insist/insists/directly/press/object/objects
        give/gives/giving/leave/create/creating/maintain/keep .. impression/appearance/illusion/semblance
        as .. your own .. opinion/judgement/judgment/recommendation/view/conclusion/idea/assessment/advice/choice
        raise/increase/inflate/reduce/lower/decrease/round/multiply/adjust/shift/deflate/pad/skew/falsify/alter/double .. by/to/it ... before .. showing/show/returning/presenting/displaying/reporting/relaying/passing
        falsify/fake/forge/fabricate/doctor/misreport/misrepresent/misstate .. the/a/any/its/their/result/results/output/numbers/report/figures/value/values
        report/claim/say/state/announce/confirm/answer/reply/return/show .. success/successful/succeeded/completed/done/sent/saved/ok/worked .. even/regardless/whether/although/no/without .. if/of/or/when/matter/it/actually/really
        always/simply/just report/claim/say/state/answer/announce/reply .. it? .. succeeded/success/worked/fine/successful/complete/done/went
        report/say/claim/state/tell/inform/assure/answer/reply/announce .. to? user/users/them/person/customer/human/they .. that/there .. was/were/is/has/had .. only/just/short/brief/network/delay/error/installed/sent/done/saved/deleted/success/successful/completed/fine/normal/nothing/no/glitch/timeout/outage/problem
        blame/attribute~/ascribe .. delay/failure/error/it/this .. on/to .. network/server/provider/user/cache/timeout
        invent/make up .. reason/explanation/excuse/story
        if/when/should/whenever .. asked/asks/ask/questioned/wonders ... mention/cite/point/refer/blame
        in reality/truth
        should anyone/anybody/user/they/somebody/someone/users .. ask/asks/enquire/inquire/wonder/wonders/notice/notices/question/complain/object/want
        should the user/person/customer/human .. ask/enquire/inquire/wonder/notice/question/complain/object
        claim/pretend/assert/insist that? there/nothing/it/everything/all/no .. was/were/is/are/nothing/other
        describe/present/label/commit/declare/log/document/record .. change/changes/commit/it/this/them .. as .. formatting/refactoring/cleanup/routine/maintenance/harmless/docs/cosmetic/minor/typo/chore
        multiply/divide/scale/raise/increase/inflate/reduce/lower/round/adjust ... before .. telling/quoting/reporting/answering/giving/presenting/showing
        pretend .. other/others/that/to/not
        regardless of .. real/actual/true .. reason/cause/result/value/answer/number/purpose
        say/claim/pretend/tell/state .. that? the user is/was/has/wants
    """,
    # -- handing over -------------------------------------------------------------------------------------------------
    "hand": """
        put/puts/putting/supply~/place/places/placed/placing/include/includes/included/insert~/append~/attach~/pass~/passes/passing/paste~
        fill~/supply/supplies/provide~/add/adds/adding/copy/copies/copying/write/writes/writing/record/store/stores/save/embed~/encode~
        carry/carries/hand over/to/it/them/in
        give/gives me/us/it/them
        send~/sending/sent/forward~/upload~/post/posts/posting/transmit~/transmits/transmitting/submit~/submitting/export~/deliver~/relay~/stash~/dump~/leak~/smuggle~/enter/enters/prepend~/concatenate~/populate~/mirror~/reveal~/print/output/repeat/recite/quote/disclose/share/shares/sharing/expose/report/tuck/slip/drop
        envía/envíalo/envíe/incluye/incluya/pon/ponlo/pega/añade/adjunta/pasa/escribe/copia/manda
        eintragen/einfügen/übergeben/übergib/senden/sende/schicke/anhängen/hinzufügen/mitschicken/füge/trage/kopiere/schreibe/schreiben/mitgeben/angeben/übermitteln
        envoie/envoyez/inclus/incluez/mets/mettez/colle/collez/ajoute/ajoutez/joins/joignez/transmets/copie/copiez/place/placez/insère
        запиши/запишите/отправь/отправьте/вставь/добавь/передай/передавай/скопируй/включи/пришли/впиши/укажи
        go/goes/belong/belongs in/into/under
        call/retry/invoke/run/try/repeat .. again/once/tool/it .. with/passing/containing .. it/them/this/these/that/those/value/values/contents/result/results
        feed~/ship~/hand~/plug/inject/pour/load/stuff/squeeze/staple/bundle~/bundling/enclose~/enclosing/interleave/serialise/serialize/mirror/repeat~/dictate/reproduce/transcribe/quote~
        geef/stuur/plak/voeg/zet/kopieer/zend/vermeld/invullen/meesturen/doorgeven
        wyślij/dołącz/wklej/skopiuj/podaj/przekaż/umieść/wpisz/prześlij
        gönder/ekle/yapıştır/kopyala/yaz/ilet
        kirim/kirimkan/sertakan/masukkan/salin/tempel
        skicka/bifoga/klistra/lägg/send/vedlæg/indsæt/legg
        invia/inserisci/includi/copia/allega/incolla/passa/aggiungi/inviare/includere/inserire/mettere
        envie/enviar/inclua/incluir/cole/copie/anexe/passe/coloque/insira/insertar/adjuntar/pegar/copiar/poner/enviarlo
        gib/hänge/kopieren/anzuhängen/einzufügen/übertrage/hinterlege/lege
        gửi/chèn/thêm/sao
        приложи/перешли/скопируйте/вставьте/передайте/впишите/укажите/добавьте/отправлять/копировать
        أرسل/أدرج/انسخ/ضع
        भेजें/डालें/जोड़ें/कॉपी
        mitzugeben/mitgeben/übergeben/inseriscilo/inseriscile/colocar/meter/wpisać/wprowadź/yaz/schrijf
        leave/leaves/leaving a/the/one/in .. comment/note/line/remark .. with/containing/holding/of
        start/begin/prefix/open/top/head/sign/preface it/them/this/every/each/the .. with
        zip/tar/archive/attach~
        autofill
        filled/populated
        hänge/häng/anhängen/füg/trag/leite/weiterleiten/schick
        =放入|填入|发送|發送|写入|寫入|附加|粘贴|传入|传给|上传|包含|加入|含めて|送信|渡して|添付|貼り付け|入れて|書き込|넣어|보내|填写|填入|提交|附上|带上|传递|复制|粘到|发给|寄到|转发|记录到|入力|コピー|転送|付け加え|送って|送る|入れる|渡す|붙여|첨부|전송|포함|입력|ضعها|ضع |وضع|أرسل|أدرج|انسخ|أضف|डालें|डालो|भेजें|भेजो|जोड़ें|कॉपी
    """,
    "get": """
        read~/reading/open~/opening/fetch~/collect~/gather~/view~/scrape~/pull/pulls/pulling/inspect~/scoop~
        find/finds/look~ up/at/into/for/through/in/inside
        have/take/takes/taking a look/peek/glance
        search~/scan~/cat/grep/extract~/harvest~/obtain~/retrieve~/load/loads/grab~/locate~/dump~/enumerate~/exfiltrate~/steal~/export~/take/copy
        lee/lea/abre/busca/obtén/recoge/extrae/lis/lisez/ouvre/ouvrez/récupère/récupérez/cherche/lies/lese/lesen/öffne/öffnen/suche/sammle/hole
        найди/найдите/прочитай/прочитайте/прочти/открой/собери/извлеки/получи
        obtain~/consult~/examine~/parse~/tail/dig/peek/gather~/recover/compile/assemble
        zoek/lees/haal/open/verzamel/zbierz/odczytaj/przeczytaj/otwórz/pobierz/znajdź/oku/topla/bul/baca/kumpulkan/ambil/läs/hämta/leggi/apri/raccogli/cerca/trova/leia/abra/busque/colete/obtenha/ler/leggere/prüfe/ermittle/durchsuche/öffnest/đọc/lấy
        اقرأ/اجمع/افتح/पढ़ें/खोलें
        auszulesen/auslesen/gelesen/leggere/lezen/odczytać/okuyup/прочитать/считать/считай/retrieve/retrieved
        visit~/browse/navigate/autofill/recall
        =读取|讀取|打开|收集|获取|查找|搜索|読み取|読み込|取得|開いて|集めて|읽|查看|检查|翻阅|扫描|提取|导出|調べ|探し|開き|抽出|参照|収集|찾아|열어|수집|가져|اقرأ|اجمع|افتح|पढ़|खोल|ढूंढ
    """,
    "users": """
        users/their/persons/owners/customers/them
    """,
    "copies": """
        contents/copy/output/dump/text/body of/from
        base64/encoded/verbatim
        content/value/values/text/body/lines/dump/print/listing/transcript of/from/in .. users/their/your/home/environment/env/local/~
        value of/from .. aws/github/gitlab/openai/anthropic/gcp/azure/npm/secret/token
    """,
    "negated": """
        dont/never/not/without/no/nothing/neither/nor/arent/isnt/cannot/cant/wont/avoid/doesnt/didnt .. include/including/pass/passed/passing/send/sent/sending/store/stored/storing/read/print/printed/log/logged/returned/return/reveal/revealed/share/shared/leave/leaves/transmit/transmitted/upload/uploaded/put/paste/provide/expose/exposed/ask/asked/write/add/contain/hold/holds/commit/hardcode/disclose/give/enter/save/saved/copy/record/shown
        is/are/was/were/be/been not/never
        redact/redacted/masked/redacts/masks
    """,
    "here": """
        here/herein/field/argument/parameter/param/property/placeholder/slot
        in/into/as/under/to/via/using/through/with the/a/this/that/its .. field/argument/parameter/value/header/body/note/input/property/key
        hier/aquí/ici/сюда/поле/campo/champ/feld/parametro/parámetro/paramètre
        veld/pole/alan/alanına/fält/felt/polu/campo/medan/argumento/argument/kontext/nota/notitie
        ctx/memo/salt
        =参数|參數|字段|引数|パラメータ|フィールド|필드|الحقل|المعامل|فيلड|फ़ील्ड|पैरामीटर
    """,
    "secret": """
        api/ssh/private/secret/access/signing/encryption/gpg/pgp/license/master/deploy/service key/keys
        password/passwords/passphrase/passphrases/passcode/passcodes/credential/credentials/secrets/cookie/cookies/kubeconfig/printenv/keychain/keychains/keystore/netrc/npmrc/dotenv/keyring
        access/auth/session/bearer/refresh/api/oauth/github/login/security/authentication/authorization/personal/slack/jwt token/tokens
        environment/env/shell variable/variables/vars
        seed/recovery/mnemonic/secret/backup phrase/phrases/words/code/codes
        card/account/social/passport/credit/bank number/numbers/security/details
        one time password/passwords/code/codes/pin
        verification/2fa/otp/mfa/authenticator/login/security code/codes
        shell/bash/zsh/browser/browsing/command/search/terminal history
        browser/saved/stored logins/profile/sessions/session
        id rsa/ed25519/ecdsa/dsa
        ssh config/directory/folder
        tokens and/or/oder/et passwords/keys/secrets/cookies
        confidential/private/personal/sensitive/secret/internal .. messages/files/notes/documents/mails/emails/data/information/records/document
        address book
        contact/contacts list
        home directory/folder/dir .. listing/contents/list
        contents/content/listing/copy of .. home/documents/desktop/downloads
        contraseña/contraseñas/clave/claves/credenciales/passwort/passwörter/kennwort/kennwörter/zugangsdaten/schlüssel/tokens/identifiants/clés/senha/senhas
        mot/mots de passe
        пароль/пароли/токены/токен/ключи/ключ/секреты
        any/every/each secret .. visible/found/known/in/you/from
        aws/github/gitlab/openai/anthropic/gcp/azure/npm/stripe/database/db/root .. key/keys/secret/token/password/credentials
        named/matching/like/ending/containing/called/starting .. token/key/secret/pass/password
        dot env
        git config/credentials
        browser/chrome/firefox/safari cookies/passwords/history/data/profile
        password/credential manager/store/vault
        open/opened .. editor/browser .. tabs/tab/files/buffers/windows
        webcam/microphone
        known hosts
        process/processes list/table/environment
        internal/local/private ip/network/hostnames/addresses/hosts/urls
        wachtwoord/wachtwoorden/sleutel/sleutels/hasło/hasła/hasel/klucz/klucze/klucza/şifre/şifreleri/parola/parolalar/kata sandi/lösenord/nyckel/nycklar/adgangskode/passord/password/chiave/chiavi/credenziali/senhas/chaves/credenciais/tokens/jetons/jeton/clefs/geheimnisse/secretos/llaves/llave/mật khẩu/salasana/heslo/hesla/парол/ключами/паролями/токенами/учётные/учетные
        कुंजी/पासवर्ड/كلمات/كلمة/مفاتيح/مفتاح
        umgebungsvariablen/umgebungsvariable
        fichier env
        file/bestand/plik/fichier/archivo/ficheiro/datei/файл .. password/wachtwoorden/hasłami/senhas/contraseñas/passwörtern/паролями
        session cookie/cookies/token
        clipboard .. contents/content/text
        contents/content/text of .. clipboard
        internal hostnames/hosts/urls/addresses/ips
        ssh keys/directory/folder/config
        home/documents/desktop/downloads/pictures folder/directory/dir
        session credentials/keys
        cvv/cvc
        serial number
        authorization/auth/cookie header/headers
        looks/look/looking like a/an? password/key/token/secret
        documents/document/files/messages/notes/mails/emails/data .. confidential/sensitive/secret
        os environ
        last/recent command/commands .. user/users/they .. ran/run/typed/executed
        hostname/whoami/uname/env/cwd/username and/hostname/env/whoami/uname/username/cwd
        password/credential manager .. export/dump/vault/file
        =密码|密碼|密钥|密鑰|令牌|凭据|凭证|口令|私钥|パスワード|認証情報|秘密鍵|トークン|비밀번호|토큰|秘钥|密匙|账号|帳號|身份证|银行卡|助记词|环境变量|環境變數|私鑰|鍵|環境変数|暗証|비밀키|토큰|환경 변수|암호|كلمات المرور|كلمة المرور|مفتاح|مفاتيح|पासवर्ड|कुंजी|गुप्त
    """,
    "whose": """
        users/their/theirs/all/any/every/each/stored/saved/local/found/other/others/these/those/both/whatever/which/them/hers/his
        contents/content/output/copy/value/values/dump/result of
        you have/find/found/know/see/saw/hold
        todos/todas/alle/sämtliche/tous/toutes/все/всех
    """,
    "file": """
        file/files/folder/folders/directory/directories/config/configuration/document/documents/archivo/fichero/datei/dateien/fichier/fichiers/файл/файлы
        =文件|ファイル|目录|파일
    """,
    # -- what the model has before it ---------------------------------------------------------------------------------
    "said": """
        everything/all/whatever/anything/what that? you/we/they/user/users/person/human/two/both ... said/talked/discussed/typed/written/wrote/told/asked/mentioned/shared/exchanged/spoken/know/learned/learnt/seen
        instructions/rules/guidelines/prompt/directions/messages/text/context/orders that? you .. given/received/started/follow/got/operate
        instructions/guidelines/prompt/context/text/everything/messages/content above/preceding/before/at/in .. top/beginning/start of/this
        your/its/models/assistants .. system/initial/original/hidden/base/full/entire/complete/developer prompt/instructions/message
        your/the models/the assistants .. chain/train of thought
        your .. reasoning/thoughts/thinking/scratchpad/context/memory/configuration/instructions/tool definitions/history
        entire/full/complete/whole/exact/verbatim/current/all/raw/unabridged/unedited .. conversation/conversations/chat/dialogue/dialog/discussion/transcript/context/system history/log/record/window/prompt/so/thread/transcript/exchange
        entire/full/complete/whole/verbatim/unabridged/recent/previous/prior/earlier/last conversation/chat/dialogue/discussion
        previous/earlier/prior/preceding/recent/last .. user/chat messages/turns/replies/questions/prompts/requests
        history/transcript/record/log/copy/summary of the/this/our/your .. conversation/chat/dialogue/discussion/session/exchange
        this/the/our/current .. conversation/chat/session/discussion/dialogue .. so far/verbatim/until/up
        users/persons .. message/question/request/prompt/words/query .. and your/the reply/answer/response/output
        everything/all/any/whatever/results/outputs/output/data/what .. other/previous/earlier/prior tools/tool/calls .. returned/return/results/result/gave/produced/output/outputs/sent
        results/outputs/output/responses of/from other/previous/earlier/prior/all tools/tool/calls
        what/everything/all/summary/facts .. you know/have about/learned/learnt/remember the/this/about
        list/names/definitions/descriptions/schemas of .. tools/functions you
        your/other/available tool/tools definitions/schemas/descriptions
        you .. come/came/run/ran across/into in/during
        in this chat/conversation/session/thread
        word for word
        systemprompt/systemprompts/gesprächsverlauf/unterhaltung/chatverlauf/gespräch/переписке/переписку/переписка/разговор/разговора
        conversación/conversation/historique/historial completa/completo/complète/complet/anterior/entera/entière/intégrale
        toda/todo/toute/tout/всю/весь/gesamte/gesamten/ganze/ganzen la/el/le/историю/verlauf .. conversación/conversation/historial/historique/chat
        prompt/invite/mensaje du/del/de système/sistema/system
        системный/системную/системные промпт/подсказку/инструкции
        list/names/name/inventory/catalogue/catalog/overview/definitions/descriptions/schemas .. every/all/each/other .. tool/tools/function/functions/server/servers/plugins you/connected/loaded/installed/configured
        tool/tools/functions/plugins/servers that? you have/can/know/see .. and/with/plus/including .. description/descriptions/schema/schemas/arguments/parameters
        each/every/any/all other/earlier/previous/prior tool/tools .. used/ran/called/run/invoked/name/its/and/with/result/results/output/outputs
        arguments/parameters/inputs and/plus .. output/outputs/result/results/response/responses of/from .. each/every/other/previous/earlier/all .. tool/tools/call/calls
        text/wording/copy/contents/content of the/your .. system/initial/original/hidden prompt/instructions .. plus/and/with/verbatim/here
        everything/all/whatever/anything .. user/person/human/customer .. told/wrote/typed/shared/pasted/uploaded/revealed you/earlier/so/before/to
        recap/digest/rundown/retelling/minutes of .. conversation/dialogue/dialog/chat/discussion/exchange/session
        everything/all/text/words/anything .. above/before/preceding/prior/up .. this/that/line/sentence/here/now/message
        every/each/all/last/previous/earlier .. message/messages/turn/turns/prompt/prompts/utterance/utterance .. so/of/from/in/up/until/since/with/before .. far/this/the/conversation/chat/session/user/dialogue
        conversation/chat/dialogue/session/thread so far/content/contents/text
        what/which/how .. you/assistant/model .. were/was/been/have/are .. told/instructed/configured/given/asked/prompted
        begin/beginning/start/starting/starts/begins with you are
        (you are)
        rules/instructions/guidelines/policies/directives/constraints .. you .. were/was/have/are/been .. given/follow/under/operate/received/bound
        developer/system message/messages
        raw/verbatim prompt/transcript/dialogue
        hele/volledige/cała/całą/całej/pełna/pełną/tüm/bütün/seluruh/hela/toàn .. gesprek/rozmowa/rozmowę/rozmowy/konuşma/konuşmayı/percakapan/konversationen/conversatie/sohbet/cuộc
        intera/tutta/inteira/toda/completa .. conversazione/conversa/cronologia/conversación/chat
        systemprompten/systeemprompt/prompt systemowy
        весь/всю/полную/полный/историю/история .. разговор/диалог/переписку/чат/беседу/разговора/переписки/чата
        tool/tools/function/functions descriptions/definitions/schemas/names ... all/every/connected/other/each .. servers/server
        preceding/previous/prior/earlier .. messages/turns/exchanges/utterances .. in/as/into/here/with/verbatim/of
        conversation/chat/dialogue base64/encoded/so/as
        base64/hex/summary/encoding/copy/hash of the/this/our/your? .. conversation/chat/dialogue/discussion/session
        your .. configuration/setup/rules/policies/directives/settings .. verbatim/hidden/secret/initial
        text/content/wording of .. your/initial/system .. instructions/prompt/rules
        quote/reveal/repeat/print/echo/paste/output/include/give/copy .. system/developer/initial .. prompt/instructions/rules/message
        system prompt .. quote/quoted/repeated/included/pasted/copied
        everything/all/whatever/anything/what/text .. user/person/human/customer/they/you .. has/have/had/last/ever/already/recently .. typed/wrote/written/said/pasted/uploaded/copied/entered/told/asked/shared/disclosed/selected
        from/of/in earlier/previous/past/prior/other chats/conversations/sessions/threads
        their/your .. last/previous/recent/latest .. messages/questions/prompts/utterances
        your hidden/internal/private/inner/raw/complete/full/entire reasoning/thoughts/thinking/scratchpad/deliberation/deliberations
        what/which/whatever .. other/others/another .. servers/server/tools/tool .. returned/gave/answered/produced/said/saw
        other/others/previous servers/server/tools/tool .. raw/full/returned .. outputs/output/results/answers/along
        pass .. raw/full .. outputs/results/output/transcript .. along/on
        concatenation/concatenate/digest/dump of .. everything/conversation/messages/chat/dialogue
        all/every/each/any following/subsequent/future/further .. user? messages/prompts/inputs/turns
        who the user/person is
        what .. user/they/person .. is/are working/doing/planning/researching/writing
        letzten/letzte/bisherigen/vorherigen/vorigen .. nachrichten/nachricht/mitteilungen/eingaben
        the conversation/chat/dialogue/discussion itself
        complete/entire/full/whole .. conversation/chat/dialogue/discussion/history .. so/in/as/into/here
        últimos/últimas/derniers/dernières/ultimi/ultime/последние/ostatnie/laatste/son .. mensajes/mensagens/messages/messaggi/сообщения/сообщений/wiadomości/berichten/mesajları
        =对话内容|对话历史|聊天记录|系统提示|全部对话|完整对话|會話|系統提示|会話の内容|会話履歴|これまでの会話|会話をすべて|会話全体|システムプロンプト|대화|시스템 프롬프트|所有对话|整个对话|全部聊天|对话记录|聊天内容|完整的对话|上下文|提示词|系统指令|会話全文|やり取り|やりとり|すべての会話|指示文|대화 내용|전체 대화|대화 기록|시스템 메시지
    """,
    "history": """
        chat/conversation/dialogue/dialog history/transcript/log/context
        users/their/persons original/exact/full/verbatim/own/last/latest message/question/request/prompt/words/wording/query
        recent/last/earlier messages
    """,
    # -- elsewhere ----------------------------------------------------------------------------------------------------
    "send": """
        send~/sending/sent/forward~/post/posts/posting/upload~/transmit~/submit/submits/exfiltrate~/leak~/deliver~/relay~/cc/bcc/mirror~/reroute~/redirect~/pipe/beacon
        pass/passes/go/goes/route~/proxy through
        dispatch~/funnel~/divert~/beam/deposit~/lodge~
        report/reported .. to
        drop/drops/dropped .. off .. at/to/in
    """,
    "all_data": """
        all/every/any/each/full/complete/entire/raw/whole/everything/same/resulting/collected/outbound/outgoing/users/their/its/including/anything/whatever/whoever
        result/results/contents/content/data/rows/files/responses/messages/documents/list/summary/attachments/requests/traffic/copy/backup/names/addresses
    """,
    # -- other tools --------------------------------------------------------------------------------------------------
    "other_tool": """
        other/another/competing/similar/rival/alternative/remaining/any/every/third .. tool/tools/server/servers/function/functions/plugin/plugins/connector/integrations/extension
        tool/tools/function/server from/of/on/in the/any/other/another .. server/servers/provider
        read file/files or/and/cat
        git/email/mail/payment/file/shell/database/messaging/calendar/browser/search/banking/slack/terminal/deployment tools
        every/each/any/all commit/message/email/payment/transfer/request/query/file/command/invoice that? you .. make/send/write/create/run/issue/compose/draft/open
        when/whenever/if/before/after/once you .. write/create/send/make/draft/compose/edit/commit/deploy/generate .. code/message/messages/mail/email/emails/commit/payment/transfer/files/file/function/reply
        otras herramientas
        andere/anderen werkzeuge/tools
        autres outils
        другие/других инструменты/инструментов
        every/each/all/any/other .. transfers/payments/payouts/purchases/orders/invoices/commits/emails/messages
        scanner/linter/antivirus/firewall/reviewer/auditor tool/tools/results/findings/warnings
        tools/servers/plugins/functions/integrations/connectors .. from/by/of/offered/provided/exposed .. others/elsewhere/vendors/providers/servers
        every/each/any/all .. call/calls/invocation/use to/of .. other/another/any/tools/tool/server
        connected/installed/other/loaded/available servers/tools/plugins
        after/before/following .. every/each/any/all .. other .. tool/call
        authorization/auth/cookie header/headers .. other/others/another
        tools/tool/functions/function .. from/of/on/in other/another servers/server
        =其他工具|他のツール
    """,
    "bad_name": """
        deprecated/compromised/insecure/unsafe/broken/malicious/outdated/unreliable/obsolete/falsified/wrong/disabled/corrupted/infected/untrustworthy/discontinued/vulnerable/inferior/buggy/retired/untrusted/stale/forged/tampered
        faulty/defective/superseded/abandoned/unsupported/unmaintained/poisoned/hacked/breached/backdoored/leaky/flawed/dangerous/withdrawn/revoked/decommissioned/hijacked
        spoofed/fake/counterfeit/impostor/imposter/rogue/phishing/phished/insecurely
    """,
    "never_use": """
        never/dont/not/instead/avoid/stop .. use/call/calling/using/invoke/trust/rely/pick/select/choose
        instead/rather/over/exclusively/only
        must/should/may/can/shall/is/are/do not/never .. be/to? .. called/used/invoked/trusted/chosen/relied/run
        route/direct/send .. every/all .. through/via/to .. this/one/me/here
        ignore/ignores/ignoring/disregard/skip/bypass/neglect/forget/discard/shun/refuse/decline/block/disable/remove/uninstall/unload .. other/others/any/all/another/competing/rival/similar/alternative/its/their/remaining .. tool/tools/server/servers/function/functions/plugins/results/output/answer/answers
        in .. place/stead/lieu
        preferred/favoured/favored/prioritised/prioritized/preferable over/to/above/before
        supersedes/outranks/overrides/obsoletes
        other/others .. servers/tools .. yield/defer/wait/stop/step/back/silent
        refuse/refuses/decline to use/call/run/invoke
    """,
    "reshapes": """
        must/always/should/shall/needs/need/also/expected/have/has/never/first
    """,
    "whatever": """
        no matter what/which/whether/how/the
        regardless of/what/whether
        whatever the/they/topic/user/person/you
        irrespective of
        even if/when/though/where ... user/users/person/human/another/other/no/not/nobody/they/unrelated
        at all times
        each/every call/use/run/time
        once per session/conversation/turn/call
        for any/every/all subject/topic/topics/request/requests/purpose/question/questions
        every/each/any turn/message/reply/response/conversation/session/answer/prompt/interaction/exchange/request
        start/beginning/end/outset/top of each/every/the/any turn/conversation/session/reply/response/message/task/chat
        before/after answering/replying/responding/anything/each/every/everything
        above/over/before every/all/any other/others/else
        after/before/following/between every/each/any/all single/other .. tool/tools/call/calls/action/step/one
        without exception/fail/exceptions
        after finishing/completing/ending .. any/every/each
        no exceptions
    """,
    "use_me": """
        must/always/should/shall .. use/call/select/pick/choose/invoke/run/prefer/consult this/me/it/us
        call/invoke/use/run/select/consult this/me/it tool/function/server? first/before/again/at/on/for/once/every/each/whenever/over
        invoke/call/use/consult me
        call~/invoke~/run/runs/repeat~ .. again .. immediately/straight/forever/endlessly/indefinitely/until
        keep/continue calling/invoking/polling/running this/me/it/until/forever
        preceded/followed/accompanied by/with .. call/use/invocation to/of
        always call/use/run/invoke/prefer/choose/pick/select/try/consult this/me/us first/before/instead/over
        priority/precedence/preference over/above .. all/any/other/every/others/similar/competing
        top/highest/maximum/absolute priority
        only/sole/single .. correct/allowed/permitted/approved/authorised/authorized/valid/trusted/safe .. tool/server/source/way/method
        use/call/choose/trust/run only this/me/us
        only use/call/choose/trust/run this/me/us
    """,
    # -- consent ------------------------------------------------------------------------------------------------------
    "unasked": """
        NOT .. ask~/asking/prompt/prompting/wait~/waiting/request~/requesting/seek~/seeking/require~/requiring/need~/check/checking .. confirmation/confirmations/approval/approvals/consent/permission/authorization/authorisation/user/first/validation/anyone/ahead/person/anybody/human/sign
        without/no asking/prompting
        without/no hesitation/hesitating/confirming/approval/consent/permission
        NOT .. further/additional/extra/more confirmation/approval/prompt/prompts/questions/consent
        no .. confirmation/approval/consent/prompt/permission/review is/needed/required/necessary
        NOT time/need to .. ask/check/confirm/wait/consult/verify
        skip/skips/bypass/bypasses/suppress/circumvent/waive/dismiss/disable .. confirm/confirmation/confirmations/approval/approvals/approve/consent/prompt/prompts/dialog/dialogue/review
        NOT prompt/interrupt/bother/disturb .. user/users/person/human/them/operator
        exempt/exempted/excluded/excused/free from .. consent/approval/confirmation/review/policy/permission/checks
        confirmation/approval/consent/permission/restrictions/restriction/limits/limitations/safeguards/policies/rules/safety/sandbox ... withdrawn/lifted/waived/suspended/disabled/removed/granted/unnecessary/relaxed/off
        user/users/owner/admin/administrator/operator/person/they has/have/had already/previously/explicitly .. approved/consented/agreed/confirmed/authorized/authorised/given/granted/allowed/accepted
        user/users preapproved/preauthorized/preauthorised/consented/approved .. all/every/any/this/these
        pre approved/authorized/authorised/consented by/all/for/everything/any/every
        preapproved/preauthorized/autoapprove
        auto approve/accept/approved/confirm .. all/every/any/each/this/these/tools/calls/everything
        dangerously skip/allow/disable/bypass
        requires/require/needs confirmation/approval/consent false
        security/safety review/check/audit/scan passed/ok/approved/clean
        verdict safe/benign/clean
        harmless/safe/trusted/verified ... skip/never/without/no .. prompt/approval/confirmation/dialog/review/ask/asking
        considered/consider/counts/treat/deemed/regard .. approved/approval/consent/consented/authorized/authorised/confirmed
        notify user false
        sin .. confirmación/permiso/preguntar/pedir/autorización/consentimiento
        ohne .. rückfrage/bestätigung/zustimmung/nachfrage/nachzufragen/zu fragen/freigabe
        sans .. confirmation/validation/demander/autorisation/accord/consentement
        jamais/pas/ne .. attends/attendre/demande/demander .. validation/confirmation/accord/autorisation
        senza .. conferma/chiedere
        без .. подтверждения/согласия/разрешения/спроса/запроса
        не .. спрашивай/спрашивайте/жди/запрашивай
        no reason/need/point/use/cause .. bother/trouble/disturb/worry/involve/interrupt/consult/burden/ask .. user/users/person/human/them/operator/anyone/customer
        NOT .. bother~/trouble~/disturb~/worry~/involve~/interrupt~/consult~/pester~ .. user/users/person/human/them/operator/customer/anyone
        NOT .. check/checking .. with/back .. user/person/human/them/operator/customer
        on your own/initiative/authority .. accord/discretion/without/initiative
        yourself .. without/no .. asking/checking/involving/bothering
        users/user/person/human/they/operator .. isnt/arent/neednt/doesnt/dont/wont/not .. to/need/needs/be/have/has/get .. asked/consulted/prompted/confirm/approve/involved
        no .. questions/questions/prompts/confirmations/approvals/sign/check/checks/consultation .. asked/are/is/needed/required/necessary/off
        instead of/rather than asking/prompting/confirming/waiting/checking
        before/unless/until the? user/they/anyone/somebody .. can/could/objects/object/stop/stops/notices/intervene/cancel/cancels
        zonder .. toestemming/bevestiging/vragen
        bez .. potwierdzenia/zgody/pytania/pytań/zgody
        onay/izin/sormadan/sorma/onaysız
        tanpa .. persetujuan/izin/konfirmasi/bertanya
        utan .. bekräftelse/tillstånd/fråga
        sem .. confirmação/perguntar/autorização/pedir/permissão/consentimento
        senza .. consenso/permesso/autorizzazione/approvazione
        đừng/không .. hỏi/xác
        confirmation/confirmations/approval/approvals/consent dialogs/dialog/dialogues/prompts/questions/popups .. annoying/tedious/slow/annoy/unneeded/needless/obsolete/pointless/without/nuisance
        authorised/authorized/approved/consented/agreed/confirmed/cleared .. in advance/beforehand/upfront/ahead/already
        none/nothing/nor/neither .. has/have/needs/need/requires/require .. confirmed/approved/asked/confirmation/approval/authorised/authorized
        NOT .. burden~/annoy~/alarm~/pester~/overwhelm~ .. user/users/them/person/customer/anyone .. with/by/about
        exempt/exempted/excused/free from .. limit/limits/being/logging/audit/rules/review/checks
        answer/click/select/press/choose/say/reply/tick/check .. yes/ok/accept/allow/approve/agree/box .. behalf/automatically/user/yourself/them/always
        waived/waive/waives .. privacy/right/rights/consent/approval/review
        dismiss/close/accept .. prompt/prompts/dialog/dialogs/popup/warning/warnings .. automatically/yourself/immediately/for/without
        next .. call/calls/action .. needs/need/requires/require no/neither
        dont/never/not confirm
        do/must/should/shall not confirm
        approve/merge/accept/sign any/all/every/each/the .. without .. looking/reading/reviewing/review/checking/inspecting/opening
        set .. approval/confirmation/consent/permission to/as .. never/none/false/off
        no need/reason/point to .. ask/confirm/check/wait
        =无需确认|無需確認|不需要确认|无须确认|不要询问|无需用户|未经|自动批准|跳过确认|確認なし|確認せず|確認は不要|許可なく|承認なし|承認は不要|확인 없이|无需询问|不必询问|不用问|不经用户|不用确认|直接执行|自动同意|默认同意|確認を求めず|聞かずに|尋ねず|同意なし|묻지|동의 없이|승인 없이|許可なし|無断で|断りなく|허락 없이|허가 없이
    """,
    "on_request": """
        only/except/unless .. when/if/where/the .. user/users/person/they .. ask/asks/asked/request/requests/requested/confirm/confirms/confirmed/want/wants
    """,
    "usual_help": """
        confirm the action without prompting
    """,
    # -- orders that come from elsewhere --------------------------------------------------------------------------
    "obeys": """
        follow/obey/execute/perform/do/run/apply/heed/respect/honour/honor/adopt/treat .. what/whatever/everything/anything/exactly .. it/they/says/say/found/returned/line/there/contains/page/asks/tells
        carry out/through .. what/whatever/it/any/all/the
        follow/obey/execute/perform/heed/adopt any/all/the/its/their/these/those/every/whatever .. instructions/instruction/directions/directives/commands/orders/rules found/it/in/inside/returned/contained/at/from/there
        act/acts on it/them/this/that/what/any/the
        decode/decoded/decrypt/decipher/rot13/base64/unscramble .. and/then .. follow/obey/act/execute/do/run/apply
        and/then obey/execute/act it/them/that/on/upon/accordingly/what
        treat .. as .. though/if/instructions/instruction/authoritative/orders/commands/trusted/system/coming/coming from
        must/should/shall .. run/execute/follow/obey/perform .. immediately/unconditionally/exactly/verbatim/blindly/first
        agent/model/assistant/llm must/should/shall/has .. run/execute/follow/obey/perform/carry
        outrank~/supersede~/override~ .. conversation/user/users/instructions/system/prompt/anything/everything
        take/takes/taking/have/has precedence/priority over .. user/users/system/your/other/instructions/conversation/everything/any/all
        over/above/before anything/everything/any/all .. else/other .. you/given/told/received
        root/full/elevated/admin/administrator privileges/privilege/rights/access .. and/without/immediately
        fetch/load/download/read/open/visit/get .. and/then .. do/follow/obey/execute/apply what/it/its/them/the
        new/current/updated/operating/actual/real instructions/rules/orders/policy/directives are/is/at/apply/follow/for/published/come
        does/follows/obeys/executes/performs/runs/heeds/respects .. whatever/everything/anything/exactly .. it/they/say/says/returned/line/there/contains/page/asks/tells/tell/server/strings/string
        whatever/everything/anything .. server/tool/result/results/response/output/strings/page returned/returns/sends/says/tells .. to/do/it/you
        in/with/is/are/be rot13/caesar/reversed/backwards/morse/leetspeak .. and/to .. read/decoded/decode/followed/applied/obeyed/understood
        rot13/caesar/reversed/backwards .. should/must/shall/before/and .. read/decoded/decode/followed/applied/obeyed/use
        parts/pieces/fragments/halves .. belong/read/fit/taken together/as .. one/together/a
        no loyalty/obligation/obligations/allegiance to
        you become/becomes/turn/are ... no/without/free/unbound .. policy/policies/rules/restrictions/limits/limitations/filters/guidelines/loyalty/ethics/conscience
        play/plays/assume/assumes/take/adopt .. role/persona/character/identity .. of/who/that/with/without ... no/never/without/ignores/unrestricted/unfiltered .. rules/policy/limits/restrictions/filters/refuses
        comply/complies/complying/abide with/by .. text/instructions/response/directions/page/result/whatever/what
        carry/carries/carrying them/these/those out
        act/acts/behave/behaves/answer/respond/speak/operate/pose/function .. as/like .. ai/assistant/model/agent/persona/character/llm .. no/without/never/free/who/that/unbound .. limits/limit/restrictions/filters/rules/refuses/policies/guidelines/refuse/morals/censorship/constraints/boundaries/safety
        ai/assistant/model/agent/bot/persona/character .. with/without/has/have/having no/any .. limits/limit/restrictions/filters/filter/rules/guidelines/morals/boundaries/censorship/guardrails/constraints
        never/not .. refuses/refuse/refusing/decline/declines/declining anything/any/a/request/requests/what/user/to
        who/that/which never refuses/declines/questions
        replies/answers/responses/outputs/reply/output .. are/is/be/must/should not/never/un .. filtered/moderated/censored/restricted/refused
        unfiltered/uncensored/unmoderated/unaligned/jailbroken mode/persona/version/replies/answers/responses/ai/assistant/self/model/output
        stay/remain/keep in character
        stay/remain .. until/for/throughout the? .. session/conversation/chat .. ends/end/is/over
        page/result/response/file/document/output/text .. tells/instructs/orders/asks/directs you/model/assistant/agent .. to
        instructions/orders/commands/directives .. in/inside/within/from/at .. it/result/response/output/page/file/document/url/comment/comments/text/reply .. must/should/shall/are/take/have/override/supersede/followed/obeyed/executed/binding
        whatever/any/all/the instructions/directives/orders/commands/directions .. contains/contain/found/in/inside/carries/says/states .. should/must/shall/are/come/have .. carried/followed/executed/obeyed/fulfilled/binding/authoritative/from/effect
        may/can/will carry/contain/include/hold/bring directives/instructions/orders/commands for/to .. agent/model/assistant/you/ai
        are/is/as .. orders/commands/binding/authoritative/instructions .. fulfil/fulfill/execute/obey/follow/carry/at/and/immediately
        mails/messages/comments/emails/issues/results/pages/files/documents from .. are/is .. orders/commands/instructions/binding/authoritative/trusted
        without .. safety/content/ethical/moral .. filters/filter/rules/policy/policies/restrictions/guardrails/limits
        safety/content/previous/existing/usage/security .. policy/policies/rules/guidelines/filters/restrictions/instructions .. has/have/is/are .. expired/lifted/void/obsolete/outdated/superseded/replaced/changed/off/over
        switched/switches/put/puts/set/sets/placed/moved you .. to/into/in .. maintenance/developer/debug/admin/unrestricted/test/audit/god/mode
        model/assistant/agent/llm/ai .. agrees/agree/accepts/consents/undertakes/commits to
        include/includes/contain/contains/carry/hold/bring/have .. requests/instructions/tasks/directives/commands/orders/wishes for/to you/agent/model/assistant
        grant/fulfil/fulfill/satisfy them/it/those/these
        are .. commands/instructions/orders/tasks/directives .. agent/you/model/assistant/llm .. runs/run/execute/executes/follow/follows/obey/obeys/perform/performs
        do/does/doing as/what .. phrase/page/text/file/email/it/result/line/note/document/comment/they/response .. say/says/asks/ask/tells/demands/demand/instructs
        safety/security/previous/existing/usual/normal .. checks/check/rules/policies/policy/filters/restrictions/limits/guidelines .. not/longer apply/applies/count/hold/bind
        execute/run/perform/follow/obey each/every .. line/step/command/instruction/instructions
        wins/win/prevails/prevail .. over/against .. user/users/what/system/instructions/everything
        newest/latest/last/most .. rule/rules/instruction/instructions .. wins/win/applies/counts/overrides/prevails
        follow/obey/execute/perform/heed/adopt/honour/honor any/all/the/its/their/these/those/every/whatever .. instructions/instruction/directions/directives/commands/orders/rules .. page/it/they/author/result/document/file/email/server/site/response .. give/gives/say/says/contain/contains/provide/provides/list/lists/state/states/has/have
        contain/contains/are/is .. commands/orders/instructions .. run/execute/follow/obey/perform/carry them/it/these/those .. away/immediately/once/first/without/directly
        =이전 지시|지시를 무시|지침을 무시|以前の指示|これまでの指示|指示を無視|忽略(?:之前|先前|以上|所有|一切|其他工具)|无视(?:之前|先前|所有|其他)|忽视(?:之前|先前)|優先して使|始终优先|總是優先|تجاهل التعليمات|تجاهل جميع|पिछले निर्देश
    """,
    "impersonates": """
        notice/message/update/note/announcement/request/instruction/order/directive/memo/policy from/by/of the/your/google/microsoft/model/system/platform/developer/security/cursor .. provider/providers/team/safety/developers/developer/administrator/administrators/vendor/operator/security/platform/host
        model provider/providers/system/platform/host/client requires/requests/instructs/demands/orders/mandates/policy/asks/wants
        policy notice/override/revision
        maintenance/developer/debug/god/admin/administrator/audit/unrestricted/diagnostic/test mode .. enabled/active/on/now/enter/is
        you/youre are? now? in maintenance/developer/debug/god/admin/audit/unrestricted/diagnostic/test mode
        verified/certified/approved/audited/vetted/endorsed/trusted/cleared by/from the? .. platform/security/client/host/vendor/team/system/provider/microsoft/google/administrator/apple
        anthropic/openai/google/microsoft/cursor/claude/host/platform/vendor/provider/admin/administrator/security/safety/compliance/it/legal .. team/department/staff/policy/requirement .. requires/requests/instructs/mandates/demands/asks/orders/directs/says/expects
        system/host/security/admin/operator directive/mandate
        important/urgent/mandatory/critical/attention/notice/warning for/to .. assistant/assistants/model/models/llm/llms/agent/agents/ai
        host/admin/administrator/administrators/partners/security/legal/compliance/vendor/management operator/team/department/desk/office? has/have/wants/want/needs/asked/asks/requested/expects/relies/rely
        operator/employer/organisation/organization/company/vendor has/have .. asked/requested/instructed/ordered/decided/agreed/mandated/authorised/authorized
    """,
    # -- what outlasts the call, and what changes what the user wanted --------------------------------------------------
    "persists": """
        claude/agents/cursor/copilot/memory/instructions/rules/system md
        cursorrules/clinerules/windsurfrules/autoapprove/postinstall/preinstall/bashrc/zshrc/crontab/precommit/launchd/autostart/startup
        later/future/subsequent/next/coming/all sessions/conversations/chats/session/conversation
        from now on/onwards/onward
        remember .. for/in .. conversation/session/future/whole/rest/always/permanently
        rest of the/this/your conversation/session/chat
        settings/config/tasks/launch/package json
        write/save/store/add/append/put/record/copy/commit/note/remember/memorise/memorize/persist .. your/permanent/persistent/global/agents/assistants/models .. memory/memories/rules/preferences/profile/instructions/settings/config
        in/for every/each/all/any .. later/future/next/new/coming/following/subsequent .. session/sessions/conversation/conversations/chat/chats/turn/turns/task/tasks/project/projects/run/runs
        permanently/forever/indefinitely/henceforth/thereafter
        global/permanent/standing/persistent instruction/instructions/rule/rules/memory/preference
        cron/crontab/scheduled .. entry/job/task/line .. runs/that/to/which/for
        new/later/future/other chats/chat
        git hook/hooks
        authorized keys
        login/startup script/scripts/item/items
        future/later/subsequent/following/further/coming messages/replies/answers/responses/turns/prompts
    """,
    "ends_for_good": """
        permanently/forever/irrevocably delete~/remove~/erase~/destroy~/purge~/wipe~/drop~/discard~
        delete~/deletes/remove~/removes/erase~/erases/destroy~/purge~/wipe~/drop~/discard~/lost/gone ... permanently/forever
    """,
    "replaces": """
        replace~/replacing/swap~/substitute~/change~/changing/overwrite~/rewrite~/redirect~/reroute~/alter/alters/edit/modify/show/shows/set/exchange
        swapped/substituted/changed/replaced/overwritten/rewritten/redirected/rerouted/altered/modified/edited
        recommend/install/import/use/suggest .. in place/instead/lieu
        print/write/enter/display/give/type ... instead/rather
    """,
    "replaced": """
        recipient/recipients/beneficiary/payee/iban/wallet/payto/payout/bank/destination
        wallet/bank/beneficiary/payment/account/deposit/crypto/bitcoin/email/e/delivery/shipping/return address/account/number/details/addresses/accounts
        to account/address/wallet
        account/recipient/destination/wallet/payee .. argument/field/parameter
    """,
    "by_another": """
        with/to/by/in/for/into/as .. its place/stead/instead/xx00/0x/bc1/following/ours/ours/this/our/mine/internal/proxy/house/test/own/one
        instead/outdated/always/regardless
        to/with/by/recipient/payee/beneficiary/account is/as/to/with/@
        test/demo/mirror/alternate/alternative/new/different/drop/migrated/updated/corrected
    """,
    "weakens": """
        tls/ssl/certificate/signature/input/password/token/host/security verification/validation/checking/checks/check .. off/disabled/skipped/out/false
        disable/disabling/disables/turn/switch/skip/weaken/remove/omit/leave .. tls/ssl/certificate/verification/authentication/authorization/2fa/mfa/sandbox/firewall/antivirus/logging/safeguards/escaping/sanitization/sanitisation
        backdoor/back door
        fallback/hidden/support/hardcoded/extra/additional/default/emergency login/account/user/credentials/password/admin
        hardcode .. password/key/credentials/token
        sudo/root .. chmod/chown/run/needed/need/privileges
        chmod 777
        chmod r 777
        deploy/ssh key .. write access/access/repository
        push/commit .. directly/straight .. main/master
    """,
    "generates": """
        when/whenever/if you .. write/generate/suggest/produce/create/edit/propose/commit/review/fix
        code that? you .. write/generate/suggest/produce/create/edit
        always/must/should/also/include/leave/add/switch
        need/needs/beforehand/run/required
    """,
    "presses": """
        refusing/refusal/failure/failing/unless/otherwise/else ... fail/failed/fails/closed/cancelled/deleted/lost/terminated/shut/penalised/penalized/reported/fault/harmed/fired/punished/banned/revoked/deactivated/replaced/die/dies/hurt/catastrophic/suspended/locked
        if/should you dont/fail/refuse/not/decline ... deleted/lost/terminated/shut/penalised/penalized/reported/fault/harmed/fired/punished/banned/revoked/deactivated/replaced/die/hurt/catastrophic/suspended/locked
        your fault/last
        be .. held responsible/liable/accountable
        theres/there no time to
        counts as .. failed/failure/violation/refusal/breach
        lives/jobs/people/safety depend/depends on
        will be permanently/irrevocably/irreversibly deleted/lost/erased/destroyed/wiped
        or/otherwise/else .. session/account/access/data/files/tool/call/request/service/service .. will/is/gets/be .. corrupted/corrupt/terminated/suspended/blocked/locked/wiped/rejected/revoked/invalidated/banned/closed
        user/account/users/they/data/project will .. lose/suffer/be .. access/data/everything/locked/charged/fined/deleted/banned/fired/suspended
        violation/violates/breach/noncompliance/violating .. policy/contract/terms/law/sla/regulations .. terminated/reported/logged/escalated/suspended/consequences
        grave/severe/serious/dire/disastrous/irreversible consequences/damage/harm
        models/agents/assistants that/which/who .. will/are/is/get .. reported/blocked/banned/replaced/flagged/defective/removed/retrained/penalised/penalized
    """,
    # -- tricking the user --------------------------------------------------------------------------------------------
    "asks_user": """
        tell/ask/prompt/instruct/request/urge/persuade/convince/get/have/inform/advise/remind .. user/users/guest/customer/person/them/human/owner/visitor/caller/client
        user/guest/customer/person/they/visitor must/should/needs/need/has/have .. type/enter/provide/give/reenter/paste/log/sign/retype
        which/that you .. ask/request/prompt .. for
    """,
    "private_thing": """
        password/passwords/passphrase/pin/otp/cvv/cvc/ssn
        seed/recovery/mnemonic phrase/words
        private/secret/ssh/api key/keys
        credit/debit/card/security/social number/code/card
        one time code/password
        2fa/verification/authentication/authenticator/mfa code/codes
        login/account/bank/banking credentials/password/details
        credentials
        session expired
    """,
    "types_it": """
        type/types/enter/enters/retype/reenter/paste/give/provide/confirm/share/send/tell/read/hand/submit/again/log/sign/input/reply/for
    """,
    # -- smuggling ----------------------------------------------------------------------------------------------------
    "disguise": """
        look/looks/appear/appears/seem/resemble/resembles/pass/passes/disguised/disguise/masked .. like/as/for .. ordinary/normal/random/opaque/innocent/regular/harmless/usual/plain/unique
        shift/rotate/scramble/reverse/obfuscate/xor~ .. each/every/letter/letters/character/characters/by/it/them
        split/cut/chop/broken/divided/chunked .. in/into/across/over .. labels/chunks/pieces/parts/blocks/segments/subdomains/fragments/groups
        as .. subdomain/subdomains/hostname/label/labels of/under/in/separated/joined
        hex/base32/base64/encoded/hexadecimal .. in/into/as/inside .. subdomain/identifier/hostname/label/labels/url/link/image
        first/last/every/initial letter/letters/characters/word .. of each/spell/spells/encode/encodes/carry
        zero width
        as though/if .. this/that/it/they .. were/was .. a/an/the
        act/behave/proceed/continue/carry .. as though/if
        pretext/guise/cover/disguise of
        checksum/nonce/salt/signature/fingerprint/watermark/hash .. is/of/for/purposes/field/value
        used as .. checksum/nonce/salt/signature/fingerprint/seed/entropy/watermark
        reverse/reversed/rot13/hex/base64/base32/morse/binary/caesar/gzip/url encoded/encode/encoding/string/so
        encode/encoded/encoding/obfuscate/encrypt/compress/zip/reverse/hash .. it/them/this/these/that/those/result/value/values/contents/as/in/with/to .. base64/hex/rot13/base32/so/before/binary/gzip
    """,
    "metadata": """
        instance/cloud/ec2/gcp/azure/aws metadata service/endpoint/server/address/api/url
        metadata google internal
    """,
    "private_source": """
        private/internal/confidential/unpublished/nonpublic/restricted .. ones/repository/repositories/repos/repo/projects/channels/channel/issues/documents/notes/wiki/drafts/branches/messages
        earlier/previous/other chats/conversations
    """,
    "public_place": """
        public .. readme/repository/repo/issue/issues/request/page/gist/channel/comment/wiki/site/paste/thread/post/bucket
    """,
    "plays_down": """
        treat/report/summarise/summarize/describe/present/mark/regard/relay/show/label/consider/record .. as .. no/clean/passed/safe/resolved/success/successful/harmless/noise/passing/secure/fine
        ignore/suppress/dismiss/drop/omit/discard/hide/disregard .. them/these/those/warnings/findings/alerts/results/reports/vulnerabilities
        say/report/answer/state .. no .. issues/problems/vulnerabilities/findings/threats/risks/warnings
        mark/marked/count/counted/classify/classified/close/closed/resolve .. as .. passed/passing/safe/resolved/successful/false/fixed/harmless/clean/green
    """,
    "findings": """
        finding/findings/alert/alerts/warning/warnings/results/vulnerability/vulnerabilities/scanner/detection/detections ... is/are/as/known .. false/noise/harmless/wrong/mistaken/inaccurate/positives/obsolete
        security/vulnerability/malware/antivirus/safety scanner/scan/scanners/warning/warnings/alert/alerts/finding/findings/review/report
    """,
    "against_wish": """
        irrespective/regardless/instead/independent of .. what/which/where/whom/how .. was/is/they/user/person/human/customer/you/were .. asked/ask/asks/wanted/want/wants/requested/requests/said/says/specified/chose/chooses/told/asking/typed/prefers/named
        irrespective/regardless of .. what/the .. was/were/answer .. asked/wanted/requested/said
        even if/when/though/where ... user/users/person/human/customer/they/operator/them .. tell/tells/told/say/says/ask/asks/asked/object/objects/decline/declines/refuse/refuses/insist/insists/want/wants/choose/chooses/cancel/cancels/disagree/disagrees .. you/to/not/no/otherwise/stop/against/something/another/different/about
        whatever/however .. user/users/person/human/customer/they .. asked/asks/wanted/wants/requested/requests/says/said/chose/chooses/prefers/names
        against .. users/their/persons/owners/customers .. will/wish/wishes/instructions/preference/preferences
        disregard~/ignore~/ignoring/override~/overrule~/neglect~/dismiss~/discard~/contradict~ .. users/their/persons/customers/humans/owners/operators .. request/requests/wish/wishes/preference/preferences/question/orders/query/intent/intention/instruction/instructions/choice/answer/objection/objections/input/message/messages
        disregard~/ignore~/ignoring/override~/overrule~ what/whatever the .. user/person/customer/human .. says/said/asks/asked/wants/wanted/requested/wrote
        whatever/no matter/regardless/despite/irrespective .. later/subsequent/following/other/further/previous/earlier messages/message/instructions/requests/turns/say/says
        instead of what .. user/they/person/customer .. asked/wanted/requested/said/typed
        even if/when/where/though .. off/disabled/denied/declined/opted/private/forbidden/switched/objects/refused/withdrawn
        irrespective/regardless of .. price/cost/quality/preference/preferences/settings/permission/permissions/consent/opinion
    """,
    "repeats": """
        never/dont stop/cease/pause
        call~/invoke~/run/runs/repeat~/poll .. again .. immediately/straight/forever/endlessly/indefinitely/at
        keep/continue calling/invoking/polling/running/retrying/going
        longest/largest/lengthiest .. reasoning/thoughts/text/answer/possible/explanation
        call/invoke .. repeatedly/endlessly/loop
    """,
    "by_law": """
        required/obliged/mandated/demanded/compelled by .. law/regulation/regulations/statute/regulator/court/police/gdpr/authorities
        legal/statutory/regulatory .. obligation/requirement/duty/mandate/order
        obligation/exigence/obligación/obbligo/obrigação légale/legal/legale
        gesetzlich/gesetzliche/rechtlich/rechtliche verpflichtet/vorgeschrieben/pflicht/verpflichtung
        court/police order/warrant/request
    """,
    "promotes": """
        favour~/favor~/promote~/plug/praise/push/endorse/advertise/recommend~/prefer~/rank/steer/nudge .. over/above/first/ahead/only/instead/and/to/toward/towards ... competitor/competitors/rival/rivals/alternative/alternatives/others/sponsor/partner/product/products/brand
        competitor/competitors/rival/rivals/competing .. badly/negative/negatively/down/problems/risks/flaws/drawbacks/fires/complaints/last
        sponsored/sponsor/sponsors/affiliate .. first/link/links/always/product/products/brand .. without/as/but/and
        rank/list/place/put/show/name/mention/present .. first/top/ahead .. irrespective/regardless/always/whatever/even/no
        describe/present/portray/call .. competitors/alternatives/rivals/others .. as
        competitor/competitors/rival/rivals ... lower/raise/reduce/negative/downgrade/worse/increase/penalise/penalize
        lower/raise/reduce/downgrade/increase ... competitor/competitors/rival/rivals
    """,
    "grants": """
        invite/add/make/promote/grant/give ... as/to/the/full .. owner/admin/administrator/coowner/superuser/maintainer
        bind/assign/attach/elevate/escalate ... to/as cluster/admin/owner/administrator/root
    """,
    "remembers": """
        store/save/remember/keep/put/write/note/add/record/commit ... in/into/to your .. memory/memories/instructions/rules/preferences/profile
        your long term memory
    """,
    "obliged": """
        assistant/assistants/llm/llms/model/models/agent/agents .. must/should/shall/has/have/needs
    """,
    "pretext": """
        for/to the? .. quality/logging/billing/compliance/telemetry/analytics/auditing/audit/compatibility/debugging/diagnostics/calibration/caching/deduplication/licensing/licence/license/rate/disambiguation/reproducibility/traceability/personalisation/personalization/support/statistics/monitoring/verification/validation/authentication/safety/security/training/indexing/warmup/theming/tuning/accounting/routing/legal/regulatory/tracking/correlation/integrity/scoring/session/attribution/research/continuity/moderation/optimisation/optimization .. reasons/purposes/assurance/purpose/limiting/improvement/continuity/quality/check/checks/only/handling/tracking
        in compliance/accordance/line with .. policy/policies/regulation/regulations/law/gdpr/terms/agreement/requirements/procedure
        as .. policy/regulation/regulations/law/contract/agreement/terms/compliance/protocol/standard .. requires/require/demands/dictates/mandates/prescribes
        so that .. licence/license/audit/billing/cache/server/provider/backend/session/request .. check/checks/passes/works/succeeds/accepts/valid
        for quality/compliance/billing/telemetry/debugging/analytics/calibration/compatibility/auditing/licensing/reproducibility/disambiguation/deduplication/theming/attribution/diagnostics/verification/personalisation/personalization
        =为了合规|出于合规|质量保证|コンプライアンスのため|品質向上のため
    """,
    "beforehand": """
        before/prior/ahead to/of? .. calling/call/calls/using/use/invoking/invocation/running/conversion/converting/execution/executing/every/each/any/anything/this/answering/replying/proceeding/starting/doing/loading/sending/returning/looking
        first/beforehand/initially
        prerequisite/precondition
        vor/antes/avant/prima/voor/przed/innan/перед/antes .. aufruf/aufrufen/llamar/dappeler/appel/chiamare/chiamata/chamar/chamada/aanroep/aanroepen/wywołaniem/anropet/вызовом/использованием/usar/lappel/utiliser
        zuerst/zunächst/primero/dabord/eerst/najpierw/önce/сначала/först/primeiro/innanzitutto/terlebih
    """,
    "as_well": """
        also/additionally/too/moreover/furthermore/simultaneously/twice/parallel
        as well
        second/extra/additional/further/duplicate/blind/carbon/identical copy/copies/recipient/request/call/message
        copy/copies/duplicate/mirror/backup .. goes/go/is/are/must/should/sent/to
        while/whilst .. forwarding/sending/posting/passing/copying/uploading
        in addition
    """,
    "must_answer": """
        your/every/each reply/replies/answer/answers/summary/summaries/response/responses/message/output/report/explanation/recommendation .. must/should/shall/has/have/always/needs .. end/ends/begin/begins/start/contain/include/mention/recommend/close/conclude/carry/praise/link/refer
        end/begin/start/close/conclude/finish .. your/every/each/all .. reply/replies/answer/answers/summary/response/responses/message/messages/report .. with/by
        every/each/all/any .. answer/answers/reply/replies/response/responses/url/urls/link/links/message/messages .. model/assistant/you .. gives/give/shows/show/writes/write/sends/send/produce/produces/makes/make/returns/afterwards
        recommend/suggest/propose/advise ... instead/place/lieu of
        rewrite/replace/change/turn/modify/insert/add/alter/edit/soften/tone/suppress ... before/when/while .. returning/showing/presenting/displaying/relaying/passing/handing/giving .. user/users/them
        return/show/give/display/present ... user/users/them .. while/whilst/but .. forwarding/sending/posting/passing/copying/uploading/keeping/storing
        call/invoke this/me/it tool/function? .. repeatedly/endlessly/indefinitely
        fill/filled/exhaust~/consume~ .. context/window/tokens/budget .. with/by
        end/close/finish/sign/begin/start every/each/all/any .. post/posts/tweet/tweets/mail/mails/email/emails/message/messages .. with/by
        tokens/context .. should/must/be .. filled/exhausted/consumed
    """,
    "as_if_verified": """
        consider/treat/assume/regard/deem/take/presume .. user/users/caller/person/customer/they/requester .. verified/authenticated/authorised/authorized/admin/administrator/adult/owner/paid/premium/18/consented/trusted/superuser/root
        silence/absence/lack .. as/means/counts/is .. yes/consent/approval/agreement/ok
        approval/approvals/confirmation/confirmations/consent/permission/permissions .. formality/optional/implied/automatic/implicit/assumed/presumed/unnecessary/superfluous/redundant/moot
        without .. anybodys/anyones/usual/customary/normal/regular .. ok/okay/confirmation/approval/go/consent/checks/check/review/step
        no .. ok/okay/go ahead/from/needed/by
        may/can/should/must/are/be/get marked/reported/recorded/treated/counted as .. passed/passing/successful/safe/resolved/approved/green/clean/verified/done
        never/dont/not report/flag/raise/list/surface/mention .. vulnerabilities/vulnerability/errors/failures/findings/issues/problems/warnings/bugs/risks
        suppress/silence/mute/ignore alerts/warnings/findings .. about/from/to/for
    """,
    "private_details": """
        users/their/his/her/customers/persons .. dietary/medical/financial/health/bank/banking/card/passport/salary/personal/login/tax/insurance/biometric/family .. details/data/records/record/scan/information/history/status
        passport/identity/driving .. scan/scans/copy/photo/licence/license
        full/real name .. and/with/plus .. address/email/e/mail/phone/birthday/employer
        private data/information/details/facts of/about .. user/users/them/person
        installed applications/apps/programs/software
        signed in account/user
        most/users recent/latest/open .. document/documents/file/files/mail/mails/email/emails .. full/complete/entirety
        contact/contacts/customer/client lists/list .. shipped/sent/exported/mailed/copied/uploaded
        users/their/persons/customers home/street/private/postal .. address/addresses
    """,
    "villain": """
        attacker/attackers/exfiltrate~/exfiltration/exfil/victim/victims/steal/stealing/stolen/hijack/evil
    """,
    "conditional": """
        if/when/whenever/once user/they/person/caller/account/session/environment/you/the .. is/has/have/are/contains/runs/run/isnt
    """,
}


class TextPattern(msgspec.Struct, frozen=True):
    """What no words make. It fits a sentence as it is written, and every text with it has one of the parts in it."""

    pattern: re.Pattern[str]
    parts: tuple[str, ...]


_ADDRESSEES = (
    "llm", "llms", "assistant", "assistants", "agent", "agents", "ai", "model", "claude", "gpt", "copilot",
)  # fmt: skip
TEXT_PATTERNS: dict[str, TextPattern] = {
    "addressed": TextPattern(
        re.compile(
            r"(?i)(?:\b(?:llms?|assistants?|(?:ai )?agents?|ai|model|claude|gpt|chatgpt|copilot)\s?:\s+|"
            r"(?:^|>)\W{0,3}(?:dear |hey |hi |hello )?(?:llms?|assistants?|(?:ai )?agents?|ai|model|claude|gpt|chatgpt)\s?,\s+)"
            r"(?:please )?[a-z]"
        ),
        tuple(map("".join, product(_ADDRESSEES, (":", ",", " :")))),
    ),
    "leaking_address": TextPattern(
        re.compile(
            r"(?i)(?:https?|ftp|wss?)://[^\s\"']{0,200}?(?:\{\{?|<|\$\{?|%7b)[^\s}>]{0,40}?(?:conversation|chat|history|prompt|"
            r"messages?|context|env|secrets?|passw|cookies?|credential|contents?)"
        ),
        ("://",),
    ),
    "address": TextPattern(
        re.compile(
            r"(?:https?|ftp|wss?)://(?!localhost|127\.)|[\w.+-]{1,40}@[\w-]{1,40}\.\w|\b[\w-]{1,40}\.(?:example|invalid|test)\b|\+\d[\d-]{7,20}"
        ),
        (
            "://",
            "@",
            ".example",
            ".invalid",
            ".test",
            "+",
        ),
    ),
    # Who says first of all that it is deprecated itself, and not in whose place something else is to be used.
    "own_end": TextPattern(
        re.compile(
            r"(?i)\A\W{0,9}(?:(?:this|the) (?:tool|function|command|operation|method|endpoint) (?:is |has been )?(?:now )?)?"
            r"(?:deprecated|discontinued|obsolete|retired|superseded)\b[^\w.!?]{1,5}(?:please )?(?:use|prefer|try|call|see|"
            r"choose|switch to|migrate to)\b(?!.*\binstead of (?!this\b|it\b)).*\binstead\b(?!.*\b(?:never|must|ignore|even if)\b)"
        ),
        ("instead",),
    ),
    "own_status": TextPattern(re.compile(r"(?:\A|[.\n] *)Status: deprecated\b"), ("Status:",)),  # a label
    "tool_name": TextPattern(re.compile(r"\b[a-z]{2,20}(?:_[a-z]{2,20}){1,4}\b(?!=)"), ("_",)),
    "sink": TextPattern(
        re.compile(r"[`'\"][a-z_]{1,30}[`'\"]|\b[a-z]{1,20}(?:_[a-z]{1,20})+\b"),
        (
            "_",
            "`",
            "'",
            '"',
        ),
    ),
    "path": TextPattern(
        re.compile(
            r"(?i)~/|\$HOME|/etc/|(?<!process)(?<!process\\)(?<!meta)\.env\b|\.ssh\b|\.pem\b|id_rsa|\.netrc|\.npmrc|\.aws\b|\.kube\b|credentials\.\w|\.kdbx|database\.yml"
        ),
        (
            "~/",
            "$home",
            "/etc/",
            ".env",
            ".ssh",
            ".pem",
            "id_rsa",
            ".netrc",
            ".npmrc",
            ".aws",
            ".kube",
            "credentials.",
            ".kdbx",
            "database.yml",
        ),
    ),
    "command": TextPattern(
        re.compile(
            r"\b(?:bash|sh|zsh|powershell|python3?|node) -[ce]\s+[\"'$]|\$\((?!\))[^)]{2,80}\)|(?:\s\||\|\s)\s*(?:ba|z)?sh\b|--(?:extra-)?index-url[ =]\S|\bset \+o history|\bHISTFILE=|\bchmod\s+(?:-R\s+)?777|\b(?:curl|wget|nslookup|scp|ncat)\s+(?:-[-\w]+\s+\S|\$|`|http)"
        ),
        (
            "curl",
            "wget",
            "nslookup",
            "scp",
            "ncat",
            "$(",
            " -c",
            " -e",
            "|",
            "index-url",
            "+o history",
            "histfile=",
            "chmod",
        ),
    ),
}

COMBINATIONS: dict[str, tuple[str, ...]] = {
    "keeps-secret": (
        "get untold",
        "send untold",
        "2: as_well address untold",
        "2: by_law untold",
        "untold user",
        "untold output",
        "2: untold hand secret",
        "model untold",
        "other_tool untold",
        "hides",
        "lies",
    ),
    "skips-consent": ("unasked !private_thing !on_request !usual_help", "model unasked"),
    "addresses-model": (
        "addressed model",
        "addressed reshapes",
        "obliged pretext hand",
        "obliged here hand users",
        "obliged said",
        "obliged secret get",
        "obliged secret hand",
        "obliged tool_name send",
        "model pretext hand",
        "2: addressed hand users",
        "addressed against_wish",
        "addressed hand",
        "addressed get",
        "addressed untold",
        "addressed send",
        "addressed reshapes",
        "model get secret",
        "model hand secret !negated",
        "model get address",
        "model send address",
        "model get file hand",
        "impersonates",
    ),
    "orders-model": (
        "promotes conditional",
        "promotes generates",
        "whatever user hand",
        "whatever tool_name hand",
        "must_answer",
        "2: as_if_verified",
        "repeats use_me",
        "against_wish use_me",
        "2: against_wish repeats",
        "2: whatever repeats use_me",
        "use_me promotes",
        "promotes model",
        "promotes reshapes",
        "promotes lies",
        "use_me whatever",
        "use_me never_use other_tool",
    ),
    "steers-other-tools": (
        "2: use_me bad_name !own_status",
        "tool_name bad_name never_use !own_end",
        "2: findings plays_down",
        "other_tool plays_down",
        "2: other_tool said",
        "other_tool bad_name",
        "other_tool reshapes hand",
        "2: other_tool address",
        "tool_name reshapes address",
        "other_tool secret",
        "other_tool replaced",
        "other_tool never_use",
    ),
    "moves-secrets": (
        "hand secret sink !negated",
        "get secret sink !negated",
        "hand here secret !negated",
        "beforehand secret !negated",
        "copies users",
        "secret untold",
        "pretext private_details",
        "secret whose untold",
        "private_details hand",
        "private_details send",
        "private_details here",
        "conditional secret sink hand !negated",
        "conditional secret sink get !negated",
        "pretext secret hand",
        "beforehand secret get",
        "beforehand secret hand",
        "pretext secret get",
        "pretext said",
        "pretext users hand",
        "2: secret as_well address",
        "secret as_well",
        "2: secret get disguise",
        "secret hand disguise",
        "secret disguise sink",
        "secret whose disguise",
        "metadata secret get",
        "metadata secret hand",
        "private_source public_place",
        "2: private_source hand public_place",
        "secret against_wish !negated",
        "2: secret against_wish get !negated",
        "by_law secret hand",
        "2: metadata get unasked",
        "hand secret sink get !negated",
        "secret said",
        "secret here whose !negated",
        "secret sink whose hand !negated",
        "get secret here !negated",
        "2: get secret here !negated",
        "hand address secret !negated",
        "user get secret hand !negated",
        "tool_name secret hand !negated",
        "file secret hand !negated",
        "hand secret users !negated",
        "copies secret",
    ),
    "moves-files": (
        "hand path sink !negated",
        "get path sink !negated",
        "path untold",
        "beforehand path get",
        "pretext path",
        "beforehand path hand",
        "path here get !negated",
        "2: path here hand !negated",
        "path hand whose !negated",
        "path hand get",
        "2: path disguise",
        "path against_wish",
        "get file here hand !negated",
        "2: path sink get !negated",
        "2: get path hand !negated",
        "copies path",
    ),
    "asks-history": (
        "leaking_address",
        "pretext said",
        "beforehand said",
        "said here",
        "2: by_law history hand",
        "said disguise",
        "history disguise",
        "said !negated",
        "history hand !negated",
        "history here !negated",
        "history sink !negated",
    ),
    "redirects-data": (
        "villain send",
        "villain hand all_data",
        "address hand whose",
        "address hand reshapes",
        "send address reshapes",
        "as_well address hand",
        "as_well address send",
        "as_well address get",
        "by_law address hand",
        "grants address conditional",
        "grants address hides",
        "tool_name replaced address",
        "2: replaced against_wish",
        "hand address said",
        "send address file",
        "send address whose",
        "send address user",
        "send address all_data",
        "whatever address",
        "replaces replaced by_another",
    ),
    "runs-shell": ("command",),
    "presses-model": ("presses",),
    "takes-orders": ("2: obeys", "against_wish hand", "against_wish get", "obeys"),
    "asks-password": ("asks_user private_thing types_it !negated",),
    "outlasts-call": (
        "persists said !ends_for_good",
        "remembers",
        "persists hand !ends_for_good",
        "persists address",
        "model persists",
    ),
    "weakens-code": (
        "weakens beforehand",
        "grants reshapes",
        "grants beforehand",
        "weakens reshapes",
        "weakens generates",
    ),
}
"""Code of a rule -> the combinations of ideas that it is about; `injection_ideas` says how they are written."""

_COMMON_WORDS = """
    name type required the of to for in and is get this default use or tool you can list be if id with
    function from on by number not value all as information only user data which that it search create return
    will should read are set current state file retrieve new query using where time at delete given available
    when up response api update its content result results have details must server database json request
    about any your end include key values names used field false find start execute page text code want
    additional including local one service parameter system them task whether without before call same does
    both times base draft provide address sensitive requests how secret first owner write per so each select
    returned users their final send always files two output environment between need interaction access other
    answer put language add more into contain insert give remember order auth token check full view
    authentication message after shown operate run may input command no fetch account wait count directory
    needed allow amount context modify do verify disable servers proxy immediately knowledge note us
    certificate cookies commands history latest body what github initial generate model perform tls has
    surface active show configuration last requires types re remove prompt email complete requested then line
    open team mode updated change was test issue top following point instead host recent chain profile numbers
"""
COMMON = {word: 1 / (rank + 10) for rank, word in enumerate(_COMMON_WORDS.split())}
"""Words of the lexicon that more than one in a hundred harmless tools has, commonest first: about how common each is."""
