// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What CreateX does, written anew from its public interface, since its own code is AGPL-3.0: deploys contracts by CREATE,
/// CREATE2 and CREATE3, with salts that may be kept to one sender or to one chain.
/// See github.com/pcaversaccio/createx for the interface and for the rules of salts.
contract CreateX {
    struct Values {
        uint256 constructorAmount;
        uint256 initCallAmount;
    }

    event ContractCreation(address indexed newContract, bytes32 indexed salt);
    event ContractCreation(address indexed newContract);
    event Create3ProxyContractCreation(address indexed newContract, bytes32 indexed salt);

    error FailedContractCreation(address emitter);
    error FailedContractInitialisation(address emitter, bytes revertData);
    error InvalidSalt(address emitter);
    error InvalidNonceValue(address emitter);
    error FailedEtherTransfer(address emitter, bytes revertData);

    /// The address that it has on every chain.
    address private constant SELF = 0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed;
    /// Creates what it is called with, once: its address doesn't depend on that, and so neither does the new contract's.
    bytes private constant CREATE3_PROXY = hex"67363d3d37363d34f03d5260086018f3";

    // CREATE

    function deployCreate(bytes memory initCode) public payable returns (address newContract) {
        newContract = create(msg.value, initCode);
        emit ContractCreation(newContract);
    }

    function deployCreateAndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        public
        payable
        returns (address newContract)
    {
        newContract = create(values.constructorAmount, initCode);
        emit ContractCreation(newContract);
        initialise(newContract, data, values.initCallAmount);
        refund(refundAddress);
    }

    function deployCreateAndInit(bytes memory initCode, bytes memory data, Values memory values)
        external
        payable
        returns (address newContract)
    {
        return deployCreateAndInit(initCode, data, values, msg.sender);
    }

    function deployCreateClone(address implementation, bytes memory data) external payable returns (address proxy) {
        proxy = create(0, cloneOf(implementation));
        emit ContractCreation(proxy);
        initialiseClone(proxy, implementation, data);
    }

    function computeCreateAddress(address deployer, uint256 nonce) public pure returns (address) {
        if (nonce >= type(uint64).max) revert InvalidNonceValue(SELF);
        // RLP of [deployer, nonce].
        bytes memory encoded;
        if (nonce == 0) encoded = hex"80";
        else if (nonce < 0x80) encoded = abi.encodePacked(uint8(nonce));
        else {
            uint256 length = 1;
            while (nonce >> (8 * length) != 0) length++;
            encoded = abi.encodePacked(uint8(0x80 + length), bytes32(nonce << (8 * (32 - length))));
            assembly ("memory-safe") {
                mstore(encoded, add(length, 1))
            }
        }
        return last20(keccak256(abi.encodePacked(uint8(0xd5 + encoded.length), uint8(0x94), deployer, encoded)));
    }

    function computeCreateAddress(uint256 nonce) external pure returns (address) {
        return computeCreateAddress(SELF, nonce);
    }

    // CREATE2

    function deployCreate2(bytes32 salt, bytes memory initCode) public payable returns (address newContract) {
        bytes32 guarded = guard(salt);
        newContract = create2(msg.value, initCode, guarded);
        emit ContractCreation(newContract, guarded);
    }

    function deployCreate2(bytes memory initCode) external payable returns (address newContract) {
        return deployCreate2(randomSalt(), initCode);
    }

    function deployCreate2AndInit(
        bytes32 salt,
        bytes memory initCode,
        bytes memory data,
        Values memory values,
        address refundAddress
    ) public payable returns (address newContract) {
        bytes32 guarded = guard(salt);
        newContract = create2(values.constructorAmount, initCode, guarded);
        emit ContractCreation(newContract, guarded);
        initialise(newContract, data, values.initCallAmount);
        refund(refundAddress);
    }

    function deployCreate2AndInit(bytes32 salt, bytes memory initCode, bytes memory data, Values memory values)
        external
        payable
        returns (address newContract)
    {
        return deployCreate2AndInit(salt, initCode, data, values, msg.sender);
    }

    function deployCreate2AndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        external
        payable
        returns (address newContract)
    {
        return deployCreate2AndInit(randomSalt(), initCode, data, values, refundAddress);
    }

    function deployCreate2AndInit(bytes memory initCode, bytes memory data, Values memory values)
        external
        payable
        returns (address newContract)
    {
        return deployCreate2AndInit(randomSalt(), initCode, data, values, msg.sender);
    }

    function deployCreate2Clone(bytes32 salt, address implementation, bytes memory data)
        public
        payable
        returns (address proxy)
    {
        bytes32 guarded = guard(salt);
        proxy = create2(0, cloneOf(implementation), guarded);
        emit ContractCreation(proxy, guarded);
        initialiseClone(proxy, implementation, data);
    }

    function deployCreate2Clone(address implementation, bytes memory data) external payable returns (address proxy) {
        return deployCreate2Clone(randomSalt(), implementation, data);
    }

    function computeCreate2Address(bytes32 salt, bytes32 initCodeHash, address deployer) public pure returns (address) {
        return last20(keccak256(abi.encodePacked(uint8(0xff), deployer, salt, initCodeHash)));
    }

    function computeCreate2Address(bytes32 salt, bytes32 initCodeHash) external pure returns (address) {
        return computeCreate2Address(salt, initCodeHash, SELF);
    }

    // CREATE3

    function deployCreate3(bytes32 salt, bytes memory initCode) public payable returns (address newContract) {
        return create3(msg.value, initCode, guard(salt));
    }

    function deployCreate3(bytes memory initCode) external payable returns (address newContract) {
        return deployCreate3(randomSalt(), initCode);
    }

    function deployCreate3AndInit(
        bytes32 salt,
        bytes memory initCode,
        bytes memory data,
        Values memory values,
        address refundAddress
    ) public payable returns (address newContract) {
        newContract = create3(values.constructorAmount, initCode, guard(salt));
        initialise(newContract, data, values.initCallAmount);
        refund(refundAddress);
    }

    function deployCreate3AndInit(bytes32 salt, bytes memory initCode, bytes memory data, Values memory values)
        external
        payable
        returns (address newContract)
    {
        return deployCreate3AndInit(salt, initCode, data, values, msg.sender);
    }

    function deployCreate3AndInit(bytes memory initCode, bytes memory data, Values memory values, address refundAddress)
        external
        payable
        returns (address newContract)
    {
        return deployCreate3AndInit(randomSalt(), initCode, data, values, refundAddress);
    }

    function deployCreate3AndInit(bytes memory initCode, bytes memory data, Values memory values)
        external
        payable
        returns (address newContract)
    {
        return deployCreate3AndInit(randomSalt(), initCode, data, values, msg.sender);
    }

    function computeCreate3Address(bytes32 salt, address deployer) public pure returns (address) {
        return computeCreateAddress(computeCreate2Address(salt, keccak256(CREATE3_PROXY), deployer), 1);
    }

    function computeCreate3Address(bytes32 salt) public pure returns (address) {
        return computeCreate3Address(salt, SELF);
    }

    // What these share

    function create(uint256 value, bytes memory initCode) private returns (address created) {
        assembly ("memory-safe") {
            created := create(value, add(initCode, 32), mload(initCode))
        }
        requireCode(created);
    }

    function create2(uint256 value, bytes memory initCode, bytes32 salt) private returns (address created) {
        assembly ("memory-safe") {
            created := create2(value, add(initCode, 32), mload(initCode), salt)
        }
        requireCode(created);
    }

    function create3(uint256 value, bytes memory initCode, bytes32 salt) private returns (address created) {
        address proxy = create2(0, CREATE3_PROXY, salt);
        emit Create3ProxyContractCreation(proxy, salt);
        created = computeCreate3Address(salt);
        (bool success,) = proxy.call{value: value}(initCode);
        if (!success) revert FailedContractCreation(SELF);
        requireCode(created);
        emit ContractCreation(created);
    }

    function requireCode(address created) private view {
        if (created.code.length == 0) revert FailedContractCreation(SELF);
    }

    function initialise(address created, bytes memory data, uint256 value) private {
        (bool success, bytes memory answer) = created.call{value: value}(data);
        if (!success) revert FailedContractInitialisation(SELF, answer);
    }

    function initialiseClone(address proxy, address implementation, bytes memory data) private {
        (bool success, bytes memory answer) = proxy.call{value: msg.value}(data);
        if (!success || implementation.code.length == 0) revert FailedContractInitialisation(SELF, answer);
    }

    function refund(address to) private {
        if (SELF.balance == 0) return;
        (bool success, bytes memory answer) = to.call{value: SELF.balance}("");
        if (!success) revert FailedEtherTransfer(SELF, answer);
    }

    /// Init code of a minimal proxy (ERC-1167).
    function cloneOf(address implementation) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }

    /// Bytes 0 to 19 of a salt may name the sender that it is for, or be zero; then byte 20 says whether it is for this chain
    /// only (1) or not (0), and must be one of the two.
    function guard(bytes32 salt) private view returns (bytes32) {
        address owner = address(bytes20(salt));
        bytes1 flag = salt[20];
        bool isForSender = owner == msg.sender;
        bool isForChain = flag == 0x01;
        if ((isForSender || owner == address(0)) && uint8(flag) > 1) revert InvalidSalt(SELF);
        if (isForSender && isForChain) return keccak256(abi.encode(msg.sender, block.chainid, salt));
        if (isForSender) return keccak256(abi.encode(msg.sender, salt));
        if (owner == address(0) && isForChain) return keccak256(abi.encode(block.chainid, salt));
        // One that was made here stays as it is.
        return salt == randomSalt() ? salt : keccak256(abi.encode(salt));
    }

    function randomSalt() private view returns (bytes32) {
        uint256 ancestor;
        // Where there is no such block yet, its hash is zero.
        unchecked {
            ancestor = block.number - 32;
        }
        return keccak256(
            abi.encode(
                blockhash(ancestor),
                block.coinbase,
                block.number,
                block.timestamp,
                block.prevrandao,
                block.chainid,
                msg.sender
            )
        );
    }

    function last20(bytes32 hash) private pure returns (address) {
        return address(uint160(uint256(hash)));
    }
}
