import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.predicates.Predicate;

/**
 * Runs the transforms of Apache Kafka on the records in cases.json, and writes what they make of them to kafka.json:
 *
 *   mvn -q -f pom.xml dependency:copy-dependencies -DoutputDirectory=target/transforms
 *   java -cp 'target/transforms/*' RunTransforms.java cases.json kafka.json
 *
 * Values and keys are read and written by the JsonConverter without schemas.
 */
public class RunTransforms {
    private static final String PACKAGE = "org.apache.kafka.connect.transforms.";
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        ArrayNode results = JSON.createArrayNode();
        for (JsonNode each : JSON.readTree(new File(arguments[0]))) {
            for (JsonNode record : each.get("records")) {
                ObjectNode result = results.addObject().put("case", each.get("name").asText());
                try {
                    run(each, record, result);
                } catch (Exception error) {
                    result.put("failed", error.getClass().getSimpleName());
                }
            }
        }
        JSON.writerWithDefaultPrettyPrinter().writeValue(new File(arguments[1]), results);
    }

    private static void run(JsonNode each, JsonNode given, ObjectNode result) throws Exception {
        JsonConverter values = converter(false);
        JsonConverter keys = converter(true);
        SchemaAndValue value = values.toConnectData("drives", bytes(given.get("value")));
        SchemaAndValue key = keys.toConnectData("drives", bytes(given.get("key")));
        SinkRecord record = new SinkRecord("drives", 3, null, key.value(), null, value.value(), 42L, 1533798900250L, TimestampType.CREATE_TIME);
        for (JsonNode header : given.path("headers")) record.headers().addString(header.asText(), "x");
        for (JsonNode options : each.get("transforms")) {
            if (record == null) break;
            Map<String, String> config = toMap(options);
            String predicateName = config.remove("predicate");
            boolean negate = "true".equals(config.remove("negate"));
            Transformation<SinkRecord> transform = create(config.remove("type"));
            transform.configure(config);
            if (predicateName == null || predicate(each.get("predicates").get(predicateName)).test(record) != negate)
                record = transform.apply(record);
        }
        if (record == null) {
            result.put("dropped", true);
            return;
        }
        result.set("value", tree(values.fromConnectData("drives", null, record.value())));
        result.set("key", tree(keys.fromConnectData("drives", null, record.key())));
    }

    @SuppressWarnings("unchecked")
    private static Transformation<SinkRecord> create(String type) throws Exception {
        return (Transformation<SinkRecord>) Class.forName(PACKAGE + type).getDeclaredConstructor().newInstance();
    }

    @SuppressWarnings("unchecked")
    private static Predicate<SinkRecord> predicate(JsonNode options) throws Exception {
        Map<String, String> config = toMap(options);
        String type = PACKAGE + "predicates." + config.remove("type");
        Predicate<SinkRecord> predicate = (Predicate<SinkRecord>) Class.forName(type).getDeclaredConstructor().newInstance();
        predicate.configure(config);
        return predicate;
    }

    private static Map<String, String> toMap(JsonNode options) {
        Map<String, String> config = new HashMap<>();
        options.fields().forEachRemaining(entry -> config.put(entry.getKey(), entry.getValue().asText()));
        return config;
    }

    private static JsonConverter converter(boolean isKey) {
        JsonConverter converter = new JsonConverter();
        converter.configure(Map.of("schemas.enable", "false"), isKey);
        return converter;
    }

    private static byte[] bytes(JsonNode node) {
        return node == null || node.isNull() ? null : node.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode tree(byte[] bytes) throws Exception {
        return bytes == null ? JSON.nullNode() : JSON.readTree(bytes);
    }
}
