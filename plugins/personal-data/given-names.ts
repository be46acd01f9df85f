/** Common given names of German- and English-speaking countries, and of people who live there. */
const NAMES = `
aaron abdul abigail achim adam adelheid adrian agnes ahmed ahmet aisha alan albert alejandro alena alessandro alex alexander alexandra alexis alfred ali alice alicia alina
alison allison ana anastasia andrea andreas andrew andrzej andy angela angelika angelina anita anja anke ann anna anne annegret annelie anneliese annette annika antje anthony
anton antonia antonio antonius arne arthur ashley astrid august axel ayse barbara bastian beate beatrice ben benedikt benjamin bernd bernhard bert bettina betty beverly bill billy birgit
birgitta bjoern björn bob bobby bodo boris brandon brenda brian brigitte britta bruce bruno burkhard carina carl carla carlos carmen carol caroline carolin carsten catherine cathy cecilia celina
charles charlotte chloe chris christa christel christian christiane christina christine christof christoph christopher cindy clara clarissa claudia claus clemens conrad cordula corinna cornelia craig cynthia
dagmar damian dana daniel daniela danielle david dawn dean deborah debra denis denise dennis detlef diana diane dieter dietmar dirk dmitri dominic dominik donald donna dora doris dorothea dorothee dorothy douglas
eberhard eckhard edgar edith eduard edward edwin elena eleonore elfriede elias elisa elisabeth elizabeth elke ella ellen elsa else elvira emil emilia emily emine emma enrico eric erich erik erika ernst erwin esther
ethan eugen eugene eva evelin evelyn ewa ezgi fabian fabio fatima fatma felicitas felix ferdinand finn fiona florian frank frauke fred frederik friederike friedrich frieda fritz gabi gabriel gabriele gary georg george gerald gerd
gerda gerhard gerlinde gerold gertrud gisela giulia giuseppe gloria grace grazyna greg gregor gregory greta gudrun guenter guenther guido gunter gunther günter günther gustav hanna hannah hannelore hannes hans harald harold harry hartmut
hasan hassan heather hedwig heide heidi heike heiko heiner heinrich heinz helen helena helene helga helge helmut henning henrik henry herbert hermann hilde hildegard holger horst howard hubert hugo ian ibrahim ida ilona
ilse ina ines inge ingeborg ingo ingrid irena irene irina iris irmgard isaac isabel isabell isabella ivan ivana ivonne jack jackie jacob jacqueline jaime jakob james jamie jan jana jane janet janice janina janine jasmin
jason jean jeff jeffrey jenny jens jeremy jerry jesse jessica jessie jill jim jimmy joachim joan joanna jochen joe joel joerg johann johanna johannes john johnny jonas jonathan jordan jorge jose josef josefine joseph joshua
joyce juan juana judith judy julia julian juliane julie juliette juergen jürgen jutta jörg kai karen karin karina karl karla karolina karsten katarina katharina katherine kathleen kathrin kathryn kathy katja katrin kay keith
kelly ken kenneth kerstin kevin kim kimberly kirsten klara klaus konrad konstantin kristian kristin kristina krzysztof kurt kyle lara larry lars laura lauren lea leah lena leo leon leonard leonie leonora leopold lina linda
lisa liam logan lorenz lothar louis louisa louise luca lucas lucia lucy ludwig luis luisa lukas luke lutz lydia lynn madison magdalena maik maike malgorzata malte manfred manuel manuela marc marcel marco marcus maren margaret margarete
margit margot margret maria marianne marie marija marilyn marina mario marion mark marko markus marlene marlies marta martha martin martina marvin mary mason mateusz mathias mathilde matthew matthias max maximilian maya mechthild mehmet melanie melissa
merle mia michael michaela michal michelle mike milan mirjam mohamed mohammad mohammed monika monica moritz muhammad murat mustafa nadine nadja nancy natalia natalie natascha nathan nele nicholas nick nicola nicolas nicole niels niklas nikola nikolai nikolaus nils
nina noah norbert nora olaf olga oliver olivia olof omar oskar oscar otto pablo pamela pascal patricia patrick patrizia paul paula pauline pavel pedro peggy petar peter petra phil philip philipp phillip phyllis pia piotr rachel
rafael rainer ralf ralph ramona randy raphael raymond rebecca rebekka regina regine reiner reinhard reinhold renate rene ricarda richard rita robert roberto robin roger roland rolf roman ron ronald ronny rosa rosemarie rosemary
roswitha roy rudi rudolf russell ruth ryan sabine sabrina sally sam samantha samuel sandra sandy sara sarah sascha saskia scott sean sebastian selina serkan shannon sharon sheila shirley sibylle siegfried sigrid silke silvia
simon simone sofia sofie sonja sonya sophia sophie stacy stefan stefanie steffen stella stephan stephanie stephen steve steven stuart sue susan susanna susanne suzanne svea sven svenja sybille sylvia tamara tania tanja tara tatjana ted
teresa terry thea theo theodor theresa therese thomas thorsten tiffany till tim timo timothy tina tobias todd tom tomasz tony torben torsten tracy trevor tyler udo ulf ulla ulrich ulrike ursula ute uta uwe valentin valentina
valerie vanessa vera verena vera veronika victor victoria viktor viktoria vincent viola virginia vladimir volker walburga waldemar walter waltraud wanda wayne wendy werner wilfried wilhelm willi william wolfgang xaver yannick yasmin yusuf yvonne zachary zoe`;

/** Lower-case given names. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(NAMES.split(/\s+/).filter((name) => name !== ''));
