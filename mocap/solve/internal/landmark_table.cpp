// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/landmark_table.h"

#include <vector>

#include "mocap/solve/body.h"

namespace limber::mocap::internal {

namespace {

/// Somewhere on a limb: a wand, a cluster, a marker that only tells sides
/// apart [m].
constexpr double kSomewhere = 0.08;

std::vector<Landmark> MakeTable() {
  return {
      // Pelvis.
      {"anterior superior iliac spine",
       kPelvis,
       {0.12, 0.08, 0.06},
       0.03,
       "asis asi iliospinale spinailiaca ias sias eias fwt "
       "anteriorsuperioriliacspine pelvisfront "
       "frontpelvis hipfront fronthip hipant anthip frontwaist waistfront "
       "waistf fpelvis asiss "
       "iliacspineant antiliacspine anterioriliacspine"},
      {"posterior superior iliac spine",
       kPelvis,
       {0.05, 0.10, -0.12},
       0.03,
       "psis psi ips sips eips bwt  posteriorsuperioriliacspine backwaist "
       "waistback waistb bpelvis ps hipback backhip hippost posthip "
       "iliacspinepost postiliacspine posterioriliacspine"},
      {"sacrum",
       kPelvis,
       {0.0, 0.09, -0.13},
       0.04,
       "sacr sacrum sacral vsac vsacral vsacrum sac s1 s2 s3 msac sacro mpsis "
       "midpsis backpelvis pelvisback sacrummid midsacrum"},
      {"iliac crest",
       kPelvis,
       {0.14, 0.13, 0.0},
       0.04,
       "ic ilc ilcr iliaccrest crest iliac cri icr waist waistside ictub "
       "iliaccresttubercle sidepelvis ilium hipup upperhip "
       "csi iliocristale iliocrestale"},
      {"on the pelvis",
       kPelvis,
       {0.0, 0.09, -0.10},
       0.1,
       "pv pel pelv pelvis pelvic hips root pelviscluster plv pvs psc "
       "hiporigin"},
      {"side of the pelvis", kPelvis, {0.13, 0.06, 0.02}, 0.08, "hip hips"},
      {"pubic symphysis",
       kPelvis,
       {0.0, -0.02, 0.07},
       0.04,
       "pubis pubic pubicsymphysis symphysis pubi"},
      {"ischial tuberosity",
       kPelvis,
       {0.05, -0.08, -0.05},
       0.04,
       "ischialtub ischium ischialtuberosity sitbone"},
      {"coccyx", kPelvis, {0.0, 0.02, -0.11}, 0.04, "coccyx tailbone"},
      {"fifth lumbar vertebra",
       kPelvis,
       {0.0, 0.12, -0.12},
       0.04,
       "l5 lv5 l5s1 l4l5 lumbar5 "
       "5lumbar"},
      {"hip joint centre",
       kPelvis,
       {0.088, 0.0, 0.0},
       0.01,
       "hjc hipjc hipcenter hipcentre hipjointcenter hipjointcentre"},

      // Trunk.
      {"lumbar spine",
       kSpine,
       {0.0, 0.07, -0.07},
       0.05,
       "l1 l2 l3 l4 lv1 lv2 lv3 lv4 lumbar lumb lowback lowerback lowerspine "
       "spinelow spinelumbar"},
      {"on the spine", kSpine, {0.0, 0.07, -0.04}, 0.1, "spine spine1 spine2"},
      {"navel",
       kSpine,
       {0.0, 0.02, 0.14},
       0.05,
       "nave navel omphalion umbilicus bellybutton belly stomach abdomen"},
      {"seventh cervical vertebra",
       kChest,
       {0.0, 0.33, -0.03},
       0.03,
       "c7 cv7 c7t1 cervicale vertebraprominens spinetop neckbase c07 backneck "
       "neckback "
       "cervical7 7cervical"},
      {"neck", kChest, {0.0, 0.31, 0.0}, 0.06, "neck c5 c6 cv5 cv6"},
      {"upper thoracic spine",
       kChest,
       {0.0, 0.28, -0.06},
       0.05,
       "t1 t2 t3 t4 tv1 tv2 tv3 tv4 spinethoracic2 upperback backtop "
       "topback spineupper upperspine spinet2 spinet4"},
      {"middle thoracic spine",
       kChest,
       {0.0, 0.19, -0.07},
       0.04,
       "mai t5 t6 t7 t8 tv5 tv6 tv7 tv8 midback middleback t07 t08 spinemid "
       "th7 th8 spinet7 spinet8"},
      {"tenth thoracic vertebra",
       kChest,
       {0.0, 0.12, -0.06},
       0.04,
       "t9 t10 t11 tv9 tv10 tv11 th10 spinet10"},
      {"twelfth thoracic vertebra",
       kChest,
       {0.0, 0.03, -0.06},
       0.05,
       "t12 tv12 spinethoracic12 thorbase th12 spinet12 "
       "thoracic12 12thoracic"},
      {"jugular notch",
       kChest,
       {0.0, 0.26, 0.11},
       0.03,
       "clav ij sjn jn sn jugular jugularnotch incisurajugularis "
       "suprasternal suprasternale suprasternalnotch clavicula sterntop ss "
       "sternumtop csup clavmid "
       "jugnotch"},
      {"manubrium",
       kChest,
       {0.0, 0.24, 0.12},
       0.04,
       "man manub manubrium mans sme mnbr"},
      {"sternum",
       kChest,
       {0.0, 0.18, 0.145},
       0.05,
       "sternum ster midsternum sternummid chest frontchest chestfront brst "
       "thx sternale"},
      {"xiphoid process",
       kChest,
       {0.0, 0.12, 0.165},
       0.04,
       "strn stern px sxs xp xiph xiphoid xiphoidprocess xyph xyphoid "
       "processusxiphoideus sternumlow sternlow substernale xph xiphi"},
      {"on the back",
       kChest,
       {0.09, 0.24, -0.09},
       0.08,
       "bak bac bbac back scap backl backr"},
      {"on the trunk",
       kChest,
       {0.0, 0.18, 0.0},
       0.12,
       "tr trk trunk torso thor thorax trx tho ribcage trap trapezius "
       "spine3"},
      {"ribs", kChest, {0.12, 0.08, 0.06}, 0.07, "rib ribs r10 tenthrib"},

      // Head.
      {"front of the head",
       kHead,
       {0.07, 0.11, 0.10},
       0.03,
       "fhd fhead headfront frontheads ah hdf fh frhd anteriorhead"},
      {"back of the head",
       kHead,
       {0.065, 0.10, -0.08},
       0.03,
       "bhd bhead headback backheads ph hdb bh rearhead posteriorhead"},
      {"forehead",
       kHead,
       {0.0, 0.11, 0.11},
       0.04,
       "forehead head0 glabella sellion nasion forhd ford frontal glab"},
      {"top of the head",
       kHead,
       {0.0, 0.20, 0.01},
       0.04,
       "headtop tophead thead vertex headvertex arie toph hdtop crown tophd "
       "topofhead vex thd"},
      {"temple",
       kHead,
       {0.075, 0.06, 0.05},
       0.04,
       "temple ear tragus headside sidehead tmp zyg tra headear meatus "
       "mastoid temp tragion auricularis auricular"},
      {"occiput",
       kHead,
       {0.0, 0.10, -0.09},
       0.05,
       "occiput occipital occ inion headrear "
       "opisthocranion"},
      {"nose", kHead, {0.0, 0.05, 0.12}, 0.03, "nose"},
      {"chin", kHead, {0.0, -0.03, 0.09}, 0.04, "chin jaw gonion"},
      {"eye", kHead, {0.03, 0.07, 0.10}, 0.03, "eye"},
      {"on the head",
       kHead,
       {0.0, 0.13, 0.0},
       0.1,
       "head hd hed hea cap helmet"},

      // Shoulder.
      {"acromion",
       kLeftClavicle,
       {0.145, 0.055, -0.065},
       0.03,
       "sho shou shoul should shoulder acr ac acro acromion acromium sae sh "
       "shldr shd caj acj acromioclavicular shouldertop topshoulder "
       "acromialangle acrom s sdr a"},
      {"front of the shoulder",
       kLeftClavicle,
       {0.155, 0.0, -0.01},
       0.045,
       "ash shoulderfront frontshoulder fsho fsh anteriorshoulder shof "
       "ashoulder"},
      {"back of the shoulder",
       kLeftClavicle,
       {0.15, 0.0, -0.125},
       0.045,
       "psh shoulderback backshoulder bsho posteriorshoulder shob saa bsh "
       "pshoulder aa"},
      {"clavicle",
       kLeftClavicle,
       {0.07, 0.015, 0.0},
       0.045,
       "clavicle collar collarbone clv clavi"},
      {"scapula",
       kLeftClavicle,
       {0.07, -0.03, -0.14},
       0.06,
       "scapula sca scp shoulderblade sia ai srs ts offset scapularspine"},
      {"shoulder joint centre",
       kLeftClavicle,
       {0.15, 0.0, -0.07},
       0.01,
       "sjc gh ghjc glenohumeral shouldercenter shouldercentre "
       "shoulderjointcenter"},

      // Upper arm.
      {"deltoid",
       kLeftUpperArm,
       {0.07, 0.05, 0.0},
       0.05,
       "delt deltoid del hgt uarmhigh armhigh deltoideus"},
      {"on the upper arm",
       kLeftUpperArm,
       {0.16, 0.045, -0.01},
       kSomewhere,
       "upa uar ua uparm upperarm uarm arm ar hum humerus upar um upra ub"},
      {"biceps",
       kLeftUpperArm,
       {0.17, 0.03, 0.03},
       kSomewhere,
       "bicep biceps bic bi"},
      {"triceps",
       kLeftUpperArm,
       {0.17, 0.03, -0.04},
       kSomewhere,
       "tricep triceps tri tric"},
      {"lateral epicondyle of the elbow",
       kLeftUpperArm,
       {0.285, 0.04, 0.0},
       0.03,
       "lel radiale lelb lelbow hle lelw ele elbl elblat lhe lee elbowlat "
       "elbowout "
       "lateralelbow lateralhumeralepicondyle lateralepicondyleelbow lepih el "
       "elbowl elbo lhumeralepicondyle ell elblt "
       "ael"},
      {"medial epicondyle of the elbow",
       kLeftUpperArm,
       {0.285, -0.04, 0.0},
       0.03,
       "mel melb melbow hme eme elbm elbmed mhe mee elbowmed elbowin "
       "medialelbow medialhumeralepicondyle medialepicondyleelbow mepih em "
       "elbowm mhumeralepicondyle elbi elm elmed"},
      {"elbow",
       kLeftUpperArm,
       {0.285, 0.03, -0.01},
       0.04,
       "elb elbw elbow elbo elw ebw armepicondyle elbowepicondyle "
       "humeralepicondyle humerusepicondyle "
       "humepi humcon humepicondyle"},
      {"elbow joint centre",
       kLeftUpperArm,
       {0.29, 0.0, 0.0},
       0.01,
       "ejc elbowcenter elbowcentre elbowjointcenter"},

      // Forearm.
      {"olecranon",
       kLeftForearm,
       {0.0, 0.0, -0.04},
       0.035,
       "uoa ole olec olecranon ol olc "
       "aol"},
      {"on the forearm",
       kLeftForearm,
       {0.12, 0.03, -0.01},
       kSomewhere,
       "frm fra frma fa fore forearm farm lowarm lowerarm larm fm loa "
       "fasuperior "
       "foa radioulna far"},
      {"radial styloid",
       kLeftForearm,
       {0.25, 0.01, 0.035},
       0.035,
       "wra stylion rsp radial radius rad radialstyloid styloidradius rs "
       "faradius "
       "radialwrist wristthumb thumbwrist wristradius wrr wrthumb wristrad "
       "wrirad rst wrl "
       "radsty wts"},
      {"ulnar styloid",
       kLeftForearm,
       {0.25, 0.01, -0.035},
       0.035,
       "wrb uhe usp ulna ulnar uln ulnarstyloid styloidulna us faulna "
       "ulnarwrist wristpinky wristpinkie wristulna wru wrpinky wristuln "
       "wriuln ust wrm "
       "ulnsty wps"},
      {"wrist",
       kLeftForearm,
       {0.25, 0.02, 0.0},
       0.045,
       "wri wrist wr wrs wrt lw mw lwrist mwrist latwrist medwrist wristout "
       "wristin wro wst iwr owr"},
      {"wrist joint centre",
       kLeftForearm,
       {0.255, 0.0, 0.0},
       0.015,
       "wjc wristcenter wristcentre wristjointcenter"},

      // Hand.
      {"knuckle of the middle finger",
       kLeftHand,
       {0.085, 0.02, 0.0},
       0.03,
       "fin hm3 mcp3 knuckle mc3 hand3 mcp thirdmetacarpal d3mcp carpal "
       "metacarpal finger 3mc m3 3mcp"},
      {"knuckle of the index finger",
       kLeftHand,
       {0.085, 0.015, 0.03},
       0.03,
       "hm2 mcp2 mc2 handin handindex handinner idx index secondmetacarpal "
       "metacarpal2 "
       "carpalmetahead2 mh2 dm2 indexknuckle ihand 2mc 2mcp "
       "hts"},
      {"knuckle of the little finger",
       kLeftHand,
       {0.075, 0.015, -0.04},
       0.03,
       "hm5 mcp5 mc5 handout handouter pinky handpinky pinkie fifthmetacarpal "
       "metacarpal5 carpalmetahead5 mh5 dm5 ohand hpinky 5mc 5mcp "
       "hps"},
      {"thumb",
       kLeftHand,
       {0.05, 0.0, 0.05},
       0.05,
       "thm thumb tmb hm1 mc1 mcp1"},
      {"fingertip",
       kLeftHand,
       {0.17, 0.01, 0.0},
       0.04,
       "fingertip fintip dp3 middletip handtip tipfinger"},
      {"on the hand",
       kLeftHand,
       {0.07, 0.02, 0.0},
       0.06,
       "hand dactylion hnr hnu oha iha hnd hn han ha tophand handback "
       "ballhand"},

      // Thigh.
      {"greater trochanter",
       kLeftUpperLeg,
       {0.085, 0.0, 0.0},
       0.04,
       "gt gtr gtro ftc troc troch trochanter tro greatertrochanter grtr hip "
       "gtroc bigtrochanter hiplat h "
       "trochanterion trocanter"},
      {"on the thigh",
       kLeftUpperLeg,
       {0.07, -0.23, 0.03},
       kSomewhere,
       "thi thig thigh thgh th tht fem femur femoral upleg upperleg ul bar1 "
       "thighwand thw uleg t quad quadriceps quads qua vastus hamstring "
       "femurtubercle"},
      {"side of the thigh, above",
       kLeftUpperLeg,
       {0.085, -0.16, 0.02},
       kSomewhere,
       "thlp thpl thighlp thup utht thlatprox thu uth thl thpr"},
      {"side of the thigh, below",
       kLeftUpperLeg,
       {0.075, -0.32, 0.02},
       kSomewhere,
       "thld thdl thighld thdn dtht thlatdist lth thd mth"},
      {"front of the thigh, above",
       kLeftUpperLeg,
       {0.03, -0.16, 0.09},
       kSomewhere,
       "thap thpa thighap fthi fthigh thf thfr"},
      {"front of the thigh, below",
       kLeftUpperLeg,
       {0.02, -0.32, 0.075},
       kSomewhere,
       "thad thda thighad thighfrontlow"},
      {"back of the thigh",
       kLeftUpperLeg,
       {0.02, -0.24, -0.07},
       kSomewhere,
       "thb thba thp bthi thr"},
      {"lateral epicondyle of the knee",
       kLeftUpperLeg,
       {0.055, -0.425, 0.0},
       0.03,
       "kne knee fle lfc lfe lfep lke lek lk lkn lknee lkne kneelat knelat "
       "lepi lep lepf latknee kneeout kneel lateralknee knel fel kl "
       "lateralepicondyle lateralfemoralepicondyle lateralepicondyleknee le "
       "condyle femoralcondyle epicondyle femoralepicondyle kneeepicondyle "
       "kneecondyle "
       "lcon lcondyle latcon k kn knee1 lfemc lfemepi flc oknee lknj kneeo "
       "latcond condlat condylelat cl "
       "lec femcon femcond femepi"},
      {"medial epicondyle of the knee",
       kLeftUpperLeg,
       {-0.055, -0.43, 0.0},
       0.03,
       "fme tibiale mfc mfe mfep mke mek mk mkn mknee mkne kneemed knemed mepi "
       "mep "
       "mepf medknee kneein kneem medialknee knem knm kneemedial fem2 km "
       "medialepicondyle medialfemoralepicondyle medialepicondyleknee me mcon "
       "mcondyle medcon kmed mfemc mfemepi fmc iknee kned kneei medcond "
       "condmed condylemed cm "
       "mec"},
      {"patella",
       kLeftUpperLeg,
       {0.0, -0.41, 0.06},
       0.045,
       "pat patella kneecap pate kneefront ptl"},
      {"knee joint centre",
       kLeftUpperLeg,
       {0.0, -0.43, 0.0},
       0.015,
       "kjc kneecenter kneecentre kneejointcenter"},

      // Shank.
      {"on the shank",
       kLeftLowerLeg,
       {0.045, -0.21, 0.03},
       kSomewhere,
       "tib swand tibia tibi tb ti shn shin shank shk sha sk shnk leg lowleg "
       "lowerleg ll bar2 shankwand shw tibl lleg sh sn tf ts tibt shu msh "
       "tibc "
       "tibiafibula"},
      {"front of the shank, above",
       kLeftLowerLeg,
       {0.01, -0.12, 0.05},
       kSomewhere,
       "tiap tipa tia ati atib shinfronthigh shp shf"},
      {"front of the shank, below",
       kLeftLowerLeg,
       {0.01, -0.30, 0.045},
       kSomewhere,
       "tiad tida shd2"},
      {"side of the shank",
       kLeftLowerLeg,
       {0.055, -0.22, 0.0},
       kSomewhere,
       "tilat tibl fib fibula fibl perone"},
      {"calf",
       kLeftLowerLeg,
       {0.02, -0.15, -0.06},
       kSomewhere,
       "calf calve gastroc gastrocnemius cal2 gas shb"},
      {"tibial tuberosity",
       kLeftLowerLeg,
       {0.01, -0.06, 0.05},
       0.03,
       "ttc tt ttub tibialtuberosity tibtub tuberosity ttb tuber "
       "tibtuberosity "
       "tuberositas tibialtub"},
      {"head of the fibula",
       kLeftLowerLeg,
       {0.055, -0.04, -0.02},
       0.03,
       "fax hf fh2 fibhead fibulahead headfibula headoffibula fbh hfib knee2 "
       "fibulahead capfib fhe fhead2 fap fh hfb"},
      {"lateral tibial plateau",
       kLeftLowerLeg,
       {0.055, -0.02, 0.0},
       0.03,
       "ltp ltc lateraltibialplateau lattibialplateau tpl lproxtib lpt"},
      {"medial tibial plateau",
       kLeftLowerLeg,
       {-0.05, -0.025, 0.0},
       0.03,
       "mtp2 mtc medialtibialplateau medtibialplateau tpm mproxtib mpt"},
      {"lateral malleolus",
       kLeftLowerLeg,
       {0.045, -0.42, -0.005},
       0.03,
       "ank ankl ankle fal lmal lml lmall mall mal malleolus lm lma la lan "
       "lank lankle anklelat anklat latank latankle ankleout anklel al lak "
       "ankll malleolar oankle malleoluslateral latmal lmalleolus "
       "lateralmalleolus lateralankle a mll akl malllat malext lamal"},
      {"medial malleolus",
       kLeftLowerLeg,
       {-0.04, -0.41, 0.005},
       0.03,
       "tam sphyrion mmal mml mmall mm mma ma man2 mank mankle anklemed ankmed "
       "medank "
       "medankle anklein anklem am mak ankm iankle medmal mmalleolus "
       "medialmalleolus medialankle med mlm anm mallmed malint memal"},
      {"ankle joint centre",
       kLeftLowerLeg,
       {0.0, -0.425, 0.0},
       0.015,
       "ajc anklecenter anklecentre anklejointcenter"},

      // Foot.
      {"heel",
       kLeftFoot,
       {0.0, -0.045, -0.06},
       0.03,
       "hee pternion heel hel he fcc cal calc calcaneus calcaneum ca hl calca "
       "heelback "
       "backheel pca heeb posteriorheel phe dhe hee1 pcal acal calcan "
       "achilles "
       "heelfoot heelcup"},
      {"lateral side of the heel",
       kLeftFoot,
       {0.03, -0.045, -0.03},
       0.03,
       "lca lheel heelout lhe2 lcal lcalc heellat latheel lateralheel hll "
       "peroneal"},
      {"medial side of the heel",
       kLeftFoot,
       {-0.03, -0.04, -0.03},
       0.03,
       "mheel heelin mcal mcalc heelmed medheel medialheel stl mca "
       "sustentaculum hlm"},
      {"ball of the foot",
       kLeftFoot,
       {0.0, -0.045, 0.155},
       0.045,
       "toe toes ballfoot fingerfoot toe2 met metatarsal mt mt2 fm2 smh mth2 "
       "2mt sm mtp "
       "toemid "
       "forefoot forefoot2 secondmetatarsal metatarsal2 dmt2 d2m 2nd "
       "2ndmet 2ndmetatarsal mt3 fm3 mth3 toe3 meta2 met2 met3 metahead2 m2 "
       "fme2 secondtoe "
       "footindex mh2 mh3 2mth methead2 2mh d2mt "
       "pivotfoot toebase"},
      {"first metatarsal head",
       kLeftFoot,
       {-0.035, -0.045, 0.13},
       0.03,
       "mt1 fm1 fmh mth1 1mt mt1h forefootin toein toemed medtoe d1m dmt1 "
       "1st 1stmetatarsal 1stmet met1 firstmetatarsal metatarsal1 d1mt bigtoe "
       "toe1 m1mt "
       "fm firstmetatarsalhead firstmethead hal1 m1 meta1 1meta metahead1 "
       "tarsalmetahead1 mtp1 mmet mft fmt "
       "balltoe dm1 toei mh1 1mth methead1 1mh "
       "mfk1 metatarsalhead1 1metatarsal 1metatarsalhead"},
      {"fifth metatarsal head",
       kLeftFoot,
       {0.06, -0.055, 0.105},
       0.03,
       "mt5 fm5 vmh mth5 5mt mt5h forefootout toeout toelat lattoe d5m dmt5 "
       "5th 5thmetatarsal 5thmet met5 fifthmetatarsal metatarsal5 d5mt "
       "smalltoe toe5 vm "
       "fifthmetatarsalhead fifthmethead 5meta m5 meta5 metahead5 "
       "tarsalmetahead5 mtp5 lmet fmt5 lft2 lat "
       "littletoe vmt forefoot5 pinkietoe toeo mh5 5mth methead5 5mh "
       "mfk5 metatarsalhead5 5metatarsal 5metatarsalhead"},
      {"base of the first metatarsal",
       kLeftFoot,
       {-0.035, -0.02, 0.06},
       0.035,
       "p1mt p1m pmt1 b1mt base1mt mt1b firstmetatarsalbase fmb"},
      {"base of the fifth metatarsal",
       kLeftFoot,
       {0.055, -0.05, 0.045},
       0.035,
       "p5mt p5m pmt5 b5mt base5mt mt5b fifthmetatarsalbase vmb styl5"},
      {"instep",
       kLeftFoot,
       {0.0, -0.015, 0.08},
       0.05,
       "mfs midfoot instep midfootsup footmid mft2 cun cuneiform dorsum mfoot "
       "footdorsum smb"},
      {"outer midfoot",
       kLeftFoot,
       {0.055, -0.035, 0.06},
       0.05,
       "mfl midfootlat midfootout cub cuboid cubo lmf fol"},
      {"navicular",
       kLeftFoot,
       {-0.035, -0.03, 0.05},
       0.035,
       "nav navi navicular mfm midfootmed midfootin tn nvc"},
      {"on the foot",
       kLeftFoot,
       {0.0, -0.03, 0.08},
       0.08,
       "foot ft feet fot foo shoe footcluster"},
      {"tip of the toes",
       kLeftToes,
       {-0.005, 0.005, 0.065},
       0.03,
       "toetip acropodion tiptoe hallux hlx hal hall dp1 toeend ttip bigtoetip "
       "tip hx "
       "toet distaltoe greattoe btoe gtoe bigtoe"},
  };
}

}  // namespace

std::span<const Landmark> Landmarks() {
  static const std::vector<Landmark> table = MakeTable();
  return table;
}

}  // namespace limber::mocap::internal
